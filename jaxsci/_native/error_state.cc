#define PY_SSIZE_T_CLEAN
#include "error_state.h"

#include <Python.h>

namespace jaxsci {
namespace {

PyObject* geterr = nullptr;
PyObject* seterr = nullptr;
PyObject* all_ignored = nullptr;  // keywords for seterr
PyObject* memory = nullptr;
PyObject* ignore = nullptr;

class InterpreterLock {
 public:
  InterpreterLock() : state_(PyGILState_Ensure()) {}
  ~InterpreterLock() { PyGILState_Release(state_); }
  InterpreterLock(const InterpreterLock&) = delete;
  InterpreterLock& operator=(const InterpreterLock&) = delete;

 private:
  const PyGILState_STATE state_;
};

bool Equal(PyObject* string, PyObject* other) {
  return string == other || PyUnicode_Compare(string, other) == 0;
}

bool IsQuiet(PyObject* actions) {
  PyObject *key, *value;
  Py_ssize_t position = 0;
  while (PyDict_Next(actions, &position, &key, &value)) {
    // "memory" is "raise" by default, and hardly ever happens: TakeException serves for it.
    if (!Equal(value, ignore) && !Equal(key, memory)) return false;
  }
  return true;
}

void Set(PyObject* keywords) {
  PyObject* none = PyTuple_New(0);
  PyObject* result = none ? PyObject_Call(seterr, none, keywords) : nullptr;
  Py_XDECREF(result);
  Py_XDECREF(none);
}

// Whether this thread has a pending exception. Only the thread itself changes that, so there is no
// need of the interpreter lock, which PyErr_Occurred would ask for at every call.
bool HasPending(const PyThreadState* state) {
#if PY_VERSION_HEX >= 0x030c0000
  return state->current_exception != nullptr;
#else
  return state->curexc_type != nullptr;
#endif
}

// The pending exception as "Type: message", which is cleared.
std::string TakePending() {
#if PY_VERSION_HEX >= 0x030c0000
  PyObject* value = PyErr_GetRaisedException();
#else
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
#endif
  if (!value) return "";
  std::string words = Py_TYPE(value)->tp_name;
  PyObject* text = PyObject_Str(value);
  const char* message = text ? PyUnicode_AsUTF8(text) : nullptr;
  if (message) words += std::string(": ") + message;
  PyErr_Clear();
  Py_XDECREF(text);
  Py_DECREF(value);
  return words;
}

}  // namespace

void FindErrorState() {
  PyObject* special = PyImport_ImportModule("scipy.special");
  geterr = special ? PyObject_GetAttrString(special, "geterr") : nullptr;
  seterr = special ? PyObject_GetAttrString(special, "seterr") : nullptr;
  all_ignored = Py_BuildValue("{ss}", "all", "ignore");
  memory = PyUnicode_InternFromString("memory");
  ignore = PyUnicode_InternFromString("ignore");
  Py_XDECREF(special);
  PyErr_Clear();
}

ErrorState::ErrorState(bool may_report)
    : asked_(may_report && PyGILState_GetThisThreadState() != nullptr) {
  if (!asked_ || !geterr || !seterr) return;
  const InterpreterLock lock;
  PyObject* actions = PyObject_CallNoArgs(geterr);
  if (actions && PyDict_Check(actions) && !IsQuiet(actions)) {
    Set(all_ignored);
    before_ = actions;
  } else {
    Py_XDECREF(actions);
  }
  PyErr_Clear();
}

ErrorState::~ErrorState() {
  if (!before_) return;
  const InterpreterLock lock;
  Set(before_);
  Py_DECREF(before_);
  PyErr_Clear();
}

std::string ErrorState::TakeException() const {
  if (!asked_ || !HasPending(PyGILState_GetThisThreadState())) return "";
  const InterpreterLock lock;
  return TakePending();
}

}  // namespace jaxsci
