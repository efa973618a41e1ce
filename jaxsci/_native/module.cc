// The Python module: the handler as a capsule, and names for ufuncs that have none.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "xla/ffi/api/c_api.h"

#include "handler.h"
#include "registry.h"

namespace nb = nanobind;

NB_MODULE(_ufunc_call, m) {
  // Of the headers that this was built with.
  m.attr("FFI_API_VERSION") = nb::make_tuple(XLA_FFI_API_MAJOR, XLA_FFI_API_MINOR);
  m.def("handler", [] { return nb::capsule(reinterpret_cast<void*>(JaxsciUfuncCall)); },
        "The XLA FFI handler, for jax.ffi.register_ffi_target.");
  m.def(
      "register_ufunc",
      [](const std::string& name, nb::object ufunc) {
        if (!jaxsci::RegisterUfunc(name, ufunc.ptr())) {
          throw nb::type_error("register_ufunc: needs an elementwise NumPy ufunc");
        }
      },
      nb::arg("name"), nb::arg("ufunc"),
      "Make a NumPy ufunc known under a name in this process.");
}
