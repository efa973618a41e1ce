#define PY_SSIZE_T_CLEAN
#include "pending_exception.h"

#include <Python.h>

namespace jaxsci {
namespace {

class InterpreterLock {
 public:
  InterpreterLock() : state_(PyGILState_Ensure()) {}
  ~InterpreterLock() { PyGILState_Release(state_); }
  InterpreterLock(const InterpreterLock&) = delete;
  InterpreterLock& operator=(const InterpreterLock&) = delete;

 private:
  const PyGILState_STATE state_;
};

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

std::string TakePendingException() {
  const PyThreadState* state = PyGILState_GetThisThreadState();
  if (state == nullptr || !HasPending(state)) return "";
  const InterpreterLock lock;
  return TakePending();
}

}  // namespace jaxsci
