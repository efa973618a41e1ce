// What a loop may tell Python besides its results: SciPy's special-function errors, exceptions.
#ifndef JAXSCI_ERROR_STATE_H_
#define JAXSCI_ERROR_STATE_H_

#include <string>

typedef struct _object PyObject;

namespace jaxsci {

// Finds scipy.special's geterr and seterr. The interpreter lock is held. Done once, when the
// extension is imported: an import under way must not wait for a call, nor a call for an import.
void FindErrorState();

// Within its life scipy.special reports nothing from this thread, whatever seterr said. That state
// belongs to the thread that called seterr, so only to threads of Python: others are not asked.
class ErrorState {
 public:
  // Nothing is done, and nothing found, for a loop that cannot report anything.
  explicit ErrorState(bool may_report);
  ~ErrorState();
  ErrorState(const ErrorState&) = delete;
  ErrorState& operator=(const ErrorState&) = delete;

  // The exception that a loop left behind in this thread, in words (otherwise empty): nobody else
  // would take it. On a thread that is not Python's it is gone already, with the state that the
  // loop had made to raise it.
  std::string TakeException() const;

 private:
  const bool asked_;
  PyObject* before_ = nullptr;
};

}  // namespace jaxsci

#endif  // JAXSCI_ERROR_STATE_H_
