// One XLA FFI handler for every NumPy ufunc: its own inner loop, called from compiled code.
#include "handler.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#if defined(__x86_64__) || defined(_M_X64)
#define JAXSCI_HAS_MXCSR
#include <xmmintrin.h>
#endif

#include "convert.h"
#include "pending_exception.h"
#include "registry.h"
#include "xla/ffi/api/ffi.h"

// XLA's thread pool orders a task after what was done before it was scheduled. ThreadSanitizer
// does not see that, as XLA is not built with it.
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#define JAXSCI_HANDED_OVER(address) __tsan_release(address)
#define JAXSCI_TAKEN_OVER(address) __tsan_acquire(address)
#else
#define JAXSCI_HANDED_OVER(address)
#define JAXSCI_TAKEN_OVER(address)
#endif

namespace jaxsci {
namespace {

namespace ffi = xla::ffi;

// Elements converted at a time: a few operands' blocks stay in the first-level cache.
constexpr ptrdiff_t kBlock = 256;
constexpr int kMostOperands = 32;
constexpr size_t kMostDimensions = 32;
// Long enough that taking a chunk costs nothing, short enough that threads finish together.
constexpr double kChunkNanoseconds = 30e3;
// What starting another thread must save.
constexpr double kWorthSharingNanoseconds = 60e3;
constexpr ptrdiff_t kFirstPiece = 16;

// XLA's threads flush subnormals to zero; SciPy's results are those of the default environment.
class DefaultFloatingPoint {
 public:
#if defined(JAXSCI_HAS_MXCSR)
  // All that XLA changes is in this register. C's functions save the old coprocessor's state too,
  // which takes longer than a small call's loop; Microsoft's leave the bits for subnormals alone.
  DefaultFloatingPoint() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~DefaultFloatingPoint() { _mm_setcsr(saved_); }
#else
  DefaultFloatingPoint() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatingPoint() { std::fesetenv(&saved_); }
#endif
  DefaultFloatingPoint(const DefaultFloatingPoint&) = delete;
  DefaultFloatingPoint& operator=(const DefaultFloatingPoint&) = delete;

 private:
#if defined(JAXSCI_HAS_MXCSR)
  unsigned int saved_;
#else
  std::fenv_t saved_;
#endif
};

using Dimensions = std::array<ptrdiff_t, kMostDimensions>;

struct Operand {
  char* data;
  size_t loop_size;   // bytes of an element inside the loop
  Converter convert;  // nullptr where the types agree
  Dimensions strides;  // in bytes; 0 where it broadcasts
};

// One call: operands over a common shape, whose dimensions were merged where strides allow.
struct Work {
  Loop* loop;
  size_t inputs;
  size_t rank = 0;
  bool empty = false;
  bool converts = false;
  Dimensions shape;
  std::vector<Operand> operands;  // inputs, then outputs

  ptrdiff_t Elements() const {
    ptrdiff_t n = 1;
    for (size_t i = 0; i < rank; ++i) n *= shape[i];
    return n;
  }

  // Drops dimensions of size 1, and joins neighbours that every operand steps through alike, so
  // that the loop is called with as many elements at a time as can be.
  void Merge() {
    size_t merged = 0;  // how many dimensions stay
    for (size_t i = 0; i < rank; ++i) {
      if (shape[i] == 1) continue;
      const bool joins =
          merged > 0 && std::all_of(operands.begin(), operands.end(), [&](const Operand& o) {
            return o.strides[merged - 1] == o.strides[i] * shape[i];
          });
      if (!joins) ++merged;
      shape[merged - 1] = joins ? shape[merged - 1] * shape[i] : shape[i];
      for (Operand& o : operands) o.strides[merged - 1] = o.strides[i];
    }
    if (merged == 0) {
      merged = 1;
      shape[0] = 1;
      for (Operand& o : operands) o.strides[0] = 0;
    }
    rank = merged;
  }

  // Elements [begin, end) in row-major order.
  void Run(ptrdiff_t begin, ptrdiff_t end) const {
    const size_t last = rank - 1;
    while (begin < end) {
      ptrdiff_t rest = begin / shape[last];
      const ptrdiff_t inner = begin % shape[last];
      const ptrdiff_t n = std::min(shape[last] - inner, end - begin);
      char* pointers[kMostOperands];
      for (size_t k = 0; k < operands.size(); ++k) {
        pointers[k] = operands[k].data + inner * operands[k].strides[last];
      }
      for (size_t i = last; i-- > 0;) {
        const ptrdiff_t index = rest % shape[i];
        rest /= shape[i];
        for (size_t k = 0; k < operands.size(); ++k) {
          pointers[k] += index * operands[k].strides[i];
        }
      }
      RunLine(pointers, n);
      begin += n;
    }
  }

 private:
  void RunLine(char** pointers, ptrdiff_t n) const {
    const size_t last = rank - 1;
    if (!converts) {
      ptrdiff_t strides[kMostOperands];
      for (size_t k = 0; k < operands.size(); ++k) strides[k] = operands[k].strides[last];
      loop->function(pointers, &n, strides, loop->data);
      return;
    }
    alignas(16) thread_local static char blocks[kMostOperands][kBlock * 16];
    for (ptrdiff_t done = 0; done < n; done += kBlock) {
      const ptrdiff_t m = std::min(kBlock, n - done);
      char* arguments[kMostOperands];
      ptrdiff_t strides[kMostOperands];
      for (size_t k = 0; k < operands.size(); ++k) {
        const Operand& o = operands[k];
        const ptrdiff_t stride = o.strides[last];
        char* here = pointers[k] + done * stride;
        if (!o.convert) {
          arguments[k] = here;
          strides[k] = stride;
          continue;
        }
        const bool constant = stride == 0;
        arguments[k] = blocks[k];
        strides[k] = constant ? 0 : static_cast<ptrdiff_t>(o.loop_size);
        if (k < inputs) {
          o.convert(here, stride, blocks[k], strides[k], constant ? 1 : m);
        }
      }
      loop->function(arguments, &m, strides, loop->data);
      for (size_t k = inputs; k < operands.size(); ++k) {
        const Operand& o = operands[k];
        const ptrdiff_t stride = o.strides[last];
        if (o.convert) o.convert(blocks[k], strides[k], pointers[k] + done * stride, stride, m);
      }
    }
  }
};

double Now() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Chunks taken from a shared counter, for the cost depends on the argument. Nobody waits for a
// thread that has not taken one: the caller takes what is left, then waits for chunks under way.
class Chunks {
 public:
  Chunks(Work work, ptrdiff_t begin, ptrdiff_t size, int64_t threads)
      : work_(std::move(work)),
        size_(size),
        threads_(threads),
        end_(work_.Elements()),
        next_(begin),
        unfinished_(end_ - begin) {}

  void TakeAll() {
    ptrdiff_t size = size_;
    double before = Now();
    while (true) {
      // Towards the end chunks get smaller: who comes late must not keep the rest waiting.
      const ptrdiff_t share = (end_ - next_.load()) / (2 * threads_);
      const ptrdiff_t taken = std::clamp(share, size / 16 + 1, size);
      const ptrdiff_t begin = next_.fetch_add(taken);
      if (begin >= end_) return;
      const ptrdiff_t end = std::min(begin + taken, end_);
      work_.Run(begin, end);
      if (unfinished_.fetch_sub(end - begin) == end - begin) {
        std::lock_guard lock(mutex_);
        finished_.notify_all();
      }
      // The first estimate may be far off: a piece is slow when the system takes the thread away.
      const double now = Now();
      const double scale = static_cast<double>(size) / static_cast<double>(taken);
      const double took = (now - before) * scale;
      if (took < kChunkNanoseconds / 2) size *= 2;
      if (took > kChunkNanoseconds * 2) size = std::max<ptrdiff_t>(1, size / 2);
      before = now;
    }
  }

  void Wait() {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return unfinished_.load() == 0; });
  }

 private:
  const Work work_;
  const ptrdiff_t size_;
  const int64_t threads_;
  const ptrdiff_t end_;
  std::atomic<ptrdiff_t> next_;
  std::atomic<ptrdiff_t> unfinished_;
  std::mutex mutex_;
  std::condition_variable finished_;
};

void Share(Work work, ptrdiff_t begin, double cost, int64_t helpers, ffi::ThreadPool& pool) {
  const auto size = std::max<ptrdiff_t>(1, static_cast<ptrdiff_t>(kChunkNanoseconds / cost));
  const auto wanted = std::min<int64_t>(helpers, (work.Elements() - begin) / size);
  auto chunks = std::make_shared<Chunks>(std::move(work), begin, size, wanted + 1);
  JAXSCI_HANDED_OVER(chunks.get());
  try {
    for (int64_t i = 0; i < wanted; ++i) {
      pool.Schedule([chunks] {
        JAXSCI_TAKEN_OVER(chunks.get());
        DefaultFloatingPoint environment;
        chunks->TakeAll();
      });
    }
  } catch (const std::exception&) {
    // Out of memory. Helpers may be at work on the buffers, so this call goes on without more.
  }
  chunks->TakeAll();
  chunks->Wait();
}

// What an element costs depends on the function and on the argument, so it is measured under way:
// the calling thread starts alone, and shares the rest as soon as that is seen to pay.
void Execute(Work work, ffi::ThreadPool pool) {
  const ptrdiff_t total = work.Elements();
  if (total <= kFirstPiece) return work.Run(0, total);
  const int64_t helpers = pool.num_threads() - 1;
  if (helpers <= 0) return work.Run(0, total);
  ptrdiff_t size = kFirstPiece;
  double before = Now();
  for (ptrdiff_t begin = 0; begin < total;) {
    const ptrdiff_t end = std::min(begin + size, total);
    work.Run(begin, end);
    const double now = Now();
    const double cost = std::max((now - before) / static_cast<double>(end - begin), 0.01);
    if (static_cast<double>(total - end) * cost > kWorthSharingNanoseconds) {
      return Share(std::move(work), end, cost, helpers, pool);
    }
    begin = end;
    before = now;
    size *= 2;
  }
}

ffi::Error Mismatch(const std::string& what) {
  return ffi::Error::InvalidArgument("jaxsci: " + what);
}

// An operand's strides over the results' shape, or an error.
ffi::Error AddOperand(Work& work, void* data, ffi::Span<const int64_t> dimensions, DataType type,
                      DataType loop_type, bool input) {
  if (dimensions.size() != work.rank) return Mismatch("operands of different ranks");
  Operand& operand = work.operands.emplace_back();
  operand.data = static_cast<char*>(data);
  operand.loop_size = SizeOf(loop_type);
  operand.convert = nullptr;
  auto stride = static_cast<ptrdiff_t>(SizeOf(type));
  for (size_t i = dimensions.size(); i-- > 0;) {
    const bool broadcasts = dimensions[i] == 1 && work.shape[i] != 1;
    if (!broadcasts && dimensions[i] != work.shape[i]) return Mismatch("shapes do not broadcast");
    if (broadcasts && !input) return Mismatch("results of different shapes");
    operand.strides[i] = dimensions[i] == 1 ? 0 : stride;
    if (!work.empty) stride *= dimensions[i];  // next to a 0 the others may have any size
  }
  if (type != loop_type) {
    operand.convert = input ? ToLoop(type, loop_type) : FromLoop(loop_type, type);
    if (!operand.convert) return Mismatch("an operand's type does not fit the loop");
    work.converts = true;
  }
  return ffi::Error::Success();
}

ffi::Error CallLoop(ffi::ThreadPool pool, std::string_view ufunc, std::string_view types,
                    ffi::RemainingArgs arguments, ffi::RemainingRets results) {
  auto found = FindLoop(ufunc, types);
  if (!found.has_value()) return found.error();
  Loop* loop = *found;
  if (static_cast<size_t>(loop->inputs) != arguments.size() ||
      static_cast<size_t>(loop->outputs) != results.size() ||
      loop->types.size() > kMostOperands) {
    return Mismatch("wrong number of operands for " + std::string(ufunc));
  }
  Work work;
  work.loop = loop;
  work.inputs = loop->inputs;
  work.operands.reserve(loop->types.size());
  for (int j = 0; j < loop->outputs; ++j) {
    auto buffer = results.get<ffi::AnyBuffer>(j);
    if (!buffer.has_value()) return buffer.error();
    if (j == 0) {
      const auto dimensions = (*buffer)->dimensions();
      if (dimensions.size() > kMostDimensions) return Mismatch("too many dimensions");
      work.rank = dimensions.size();
      std::copy(dimensions.begin(), dimensions.end(), work.shape.begin());
      work.empty = std::count(dimensions.begin(), dimensions.end(), 0) > 0;
    }
  }
  for (int i = 0; i < loop->inputs; ++i) {
    auto buffer = arguments.get<ffi::AnyBuffer>(i);
    if (!buffer.has_value()) return buffer.error();
    ffi::Error error = AddOperand(work, buffer->untyped_data(), buffer->dimensions(),
                                  buffer->element_type(), LoopType(loop->types[i]), true);
    if (error.failure()) return error;
  }
  for (int j = 0; j < loop->outputs; ++j) {
    auto buffer = results.get<ffi::AnyBuffer>(j);
    ffi::Error error =
        AddOperand(work, (*buffer)->untyped_data(), (*buffer)->dimensions(),
                   (*buffer)->element_type(), LoopType(loop->types[loop->inputs + j]), false);
    if (error.failure()) return error;
  }
  if (work.empty) return ffi::Error::Success();
  work.Merge();
  Execute(std::move(work), pool);
  if (loop->origin == Origin::kNumPy) return ffi::Error::Success();
  const std::string raised = TakePendingException();
  if (!raised.empty() && loop->origin == Origin::kElsewhere) {
    return ffi::Error::Internal("jaxsci: " + std::string(ufunc) + " raised " + raised);
  }
  return ffi::Error::Success();
}

// No exception passes into XLA, which is compiled without them.
ffi::Error Call(ffi::ThreadPool pool, std::string_view ufunc, std::string_view types,
                ffi::RemainingArgs arguments, ffi::RemainingRets results) {
  try {
    DefaultFloatingPoint environment;  // a ufunc's module may be imported on the way
    return CallLoop(pool, ufunc, types, arguments, results);
  } catch (const std::exception& error) {
    return ffi::Error::Internal(std::string("jaxsci: ") + error.what());
  }
}

}  // namespace
}  // namespace jaxsci

XLA_FFI_DEFINE_HANDLER_SYMBOL(JaxsciUfuncCall, jaxsci::Call,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<std::string_view>("ufunc")
                                  .Attr<std::string_view>("types")
                                  .RemainingArgs()
                                  .RemainingRets());
