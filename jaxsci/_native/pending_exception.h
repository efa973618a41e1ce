// What a loop may leave in its thread besides its results: an exception.
#ifndef JAXSCI_PENDING_EXCEPTION_H_
#define JAXSCI_PENDING_EXCEPTION_H_

#include <string>

namespace jaxsci {

// The exception that a loop left behind in this thread, in words, and cleared: nobody else would
// take it. Empty if there is none. SciPy's loops raise where memory is short, where
// scipy.special.seterr says so, and where warnings are to be exceptions; their results are those
// of the state that ignores errors. On a thread that is not Python's an exception is gone already,
// with the state that the loop had made to raise it.
std::string TakePendingException();

}  // namespace jaxsci

#endif  // JAXSCI_PENDING_EXCEPTION_H_
