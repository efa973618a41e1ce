#ifndef JAXSCI_HANDLER_H_
#define JAXSCI_HANDLER_H_

#include "xla/ffi/api/c_api.h"

// Calls a ufunc's inner loop on whole arrays that broadcast against each other.
extern "C" XLA_FFI_Error* JaxsciUfuncCall(XLA_FFI_CallFrame* call_frame);

#endif  // JAXSCI_HANDLER_H_
