#define PY_SSIZE_T_CLEAN
#include "registry.h"

#include <Python.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "numpy/ndarraytypes.h"
#include "numpy/ufuncobject.h"

namespace jaxsci {
namespace {

namespace ffi = xla::ffi;

// NumPy's type numbers 0 to 16, in order, as type codes.
constexpr char kCodes[] = "?bBhHiIlLqQfdgFDG";

using Key = std::pair<std::string, std::string>;

// Never destroyed: XLA's threads may outlive the static objects of this library. The interpreter
// lock may be held while the mutex is taken, never the other way round.
std::shared_mutex& Mutex() {
  static auto* mutex = new std::shared_mutex;
  return *mutex;
}
std::map<Key, std::unique_ptr<Loop>>& Loops() {
  static auto* loops = new std::map<Key, std::unique_ptr<Loop>>;
  return *loops;
}

Origin OriginOf(const std::string& name) {
  if (name.rfind("numpy:", 0) == 0) return Origin::kNumPy;
  if (name.rfind("scipy.special:", 0) == 0) return Origin::kScipySpecial;
  return Origin::kElsewhere;
}

void AddLoops(const std::string& name, PyUFuncObject* ufunc) {
  Py_INCREF(ufunc);  // its loops are called for as long as the process lives
  const int n = ufunc->nin + ufunc->nout;
  std::unique_lock lock(Mutex());
  for (int k = 0; k < ufunc->ntypes; ++k) {
    std::string types;
    for (int i = 0; i < n; ++i) {
      const int number = static_cast<unsigned char>(ufunc->types[k * n + i]);
      if (i == ufunc->nin) types += "->";
      types += number < static_cast<int>(sizeof kCodes) - 1 ? kCodes[number] : 'O';
    }
    if (types.find('O') != std::string::npos || !ufunc->functions[k]) continue;
    auto loop = std::make_unique<Loop>();
    loop->function = reinterpret_cast<InnerLoop>(ufunc->functions[k]);
    loop->data = ufunc->data ? const_cast<void*>(ufunc->data[k]) : nullptr;
    loop->inputs = ufunc->nin;
    loop->outputs = ufunc->nout;
    loop->types = types.substr(0, ufunc->nin) + types.substr(ufunc->nin + 2);
    loop->origin = OriginOf(name);
    Loops().emplace(Key{name, types}, std::move(loop));
  }
}

Loop* Lookup(const Key& key) {
  std::shared_lock lock(Mutex());
  const auto found = Loops().find(key);
  return found == Loops().end() ? nullptr : found->second.get();
}

// Imports "module:attribute"; the interpreter lock is held. False if it is no ufunc.
bool Import(const std::string& name) {
  const size_t colon = name.find(':');
  if (colon == std::string::npos) return false;
  PyObject* module = PyImport_ImportModule(name.substr(0, colon).c_str());
  PyObject* object =
      module ? PyObject_GetAttrString(module, name.substr(colon + 1).c_str()) : nullptr;
  const bool is_ufunc = object && RegisterUfunc(name, object);
  PyErr_Clear();
  Py_XDECREF(object);
  Py_XDECREF(module);
  return is_ufunc;
}

}  // namespace

bool RegisterUfunc(const std::string& name, void* object) {
  auto* ufunc = static_cast<PyUFuncObject*>(object);
  // Subclasses may lay out their objects otherwise, and a signature means arrays of arguments.
  if (std::string_view(Py_TYPE(static_cast<PyObject*>(object))->tp_name) != "numpy.ufunc" ||
      ufunc->core_enabled) {
    return false;
  }
  AddLoops(name, ufunc);
  return true;
}

ffi::ErrorOr<Loop*> FindLoop(std::string_view ufunc, std::string_view types) {
  // Programs call the same few functions over and over.
  struct Recent {
    std::string ufunc, types;
    Loop* loop = nullptr;
  };
  thread_local std::array<Recent, 8> recent;
  thread_local size_t oldest = 0;
  for (const Recent& entry : recent) {
    if (entry.loop && entry.ufunc == ufunc && entry.types == types) return entry.loop;
  }
  const Key key{std::string(ufunc), std::string(types)};
  if (Loop* loop = Lookup(key)) {
    recent[oldest] = {key.first, key.second, loop};
    oldest = (oldest + 1) % recent.size();
    return loop;
  }
  const PyGILState_STATE state = PyGILState_Ensure();
  const bool imported = Import(key.first);
  PyGILState_Release(state);
  if (Loop* loop = imported ? Lookup(key) : nullptr) return loop;
  const char* problem = imported ? "no loop " : "no such NumPy ufunc: ";
  return ffi::Unexpected(ffi::Error::InvalidArgument(
      "jaxsci: " + (imported ? "the ufunc " + key.first + " has " : std::string()) + problem +
      (imported ? key.second : key.first)));
}

}  // namespace jaxsci
