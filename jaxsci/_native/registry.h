// Inner loops of NumPy ufuncs by name: "module:attribute" and type codes such as "dd->d".
#ifndef JAXSCI_REGISTRY_H_
#define JAXSCI_REGISTRY_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "xla/ffi/api/ffi.h"

namespace jaxsci {

// The signature of a ufunc's inner loop (NumPy's PyUFuncGenericFunction).
using InnerLoop = void (*)(char** args, const std::ptrdiff_t* dimensions,
                           const std::ptrdiff_t* strides, void* data);

// Where a ufunc comes from, which says what its loops may do besides computing.
enum class Origin {
  kNumPy,         // nothing
  kScipySpecial,  // report errors as scipy.special.seterr says
  kElsewhere,     // the same, or raise an exception of its own
};

struct Loop {
  InnerLoop function;
  void* data;
  int inputs;
  int outputs;
  std::string types;  // one code for each input, then for each output
  Origin origin;
};

// Finds a loop, importing the ufunc's module if it has not been seen in this process. Takes the
// interpreter lock the first time only.
xla::ffi::ErrorOr<Loop*> FindLoop(std::string_view ufunc, std::string_view types);

// Makes a ufunc known under a name in this process; false if the object is none. The interpreter
// lock is held.
bool RegisterUfunc(const std::string& name, void* object);

}  // namespace jaxsci

#endif  // JAXSCI_REGISTRY_H_
