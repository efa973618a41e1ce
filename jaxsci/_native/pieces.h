// A stack's matrices, shared out among threads.
#ifndef JAXSCI_NATIVE_PIECES_H_
#define JAXSCI_NATIVE_PIECES_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace jaxsci {

// Indices below `count`, a range at a time. What a matrix costs depends on the matrix, so threads
// take less and less: none keeps the others waiting for long.
class Pieces {
 public:
  Pieces(size_t count, size_t threads) : count_(count), threads_(threads) {}

  // Calls body(i) for the indices that are left when this thread comes for them.
  template <typename Body>
  void ForEach(Body body) {
    while (true) {
      const size_t left = count_ - std::min(count_, next_.load());
      const size_t size = threads_ == 1 ? left : left / (2 * threads_) + 1;
      const size_t begin = next_.fetch_add(size);
      if (begin >= count_) return;
      for (size_t i = begin; i < std::min(begin + size, count_); ++i) body(i);
    }
  }

 private:
  const size_t count_, threads_;
  std::atomic<size_t> next_{0};
};

// Calls work(pieces) in so many threads, of which the calling one is one. Where there is no room
// for another thread or for what it needs, the others do its work.
template <typename Work>
void OverThreads(size_t count, int threads, const Work& work) {
  struct Helpers : std::vector<std::thread> {
    ~Helpers() {
      for (std::thread& helper : *this) helper.join();
    }
  };
  Pieces pieces(count, static_cast<size_t>(std::max(1, threads)));
  Helpers helpers;
  try {
    for (int i = 1; i < threads; ++i) {
      helpers.emplace_back([&] {
        try {
          work(pieces);
        } catch (const std::bad_alloc&) {
        }
      });
    }
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  work(pieces);
}

}  // namespace jaxsci

#endif  // JAXSCI_NATIVE_PIECES_H_
