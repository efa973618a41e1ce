// Factorisations of one matrix after the other by LAPACK, with the room that they take.
#ifndef JAXSCI_NATIVE_FACTOR_H_
#define JAXSCI_NATIVE_FACTOR_H_

#include <type_traits>
#include <vector>

#include "lapack.h"

namespace jaxsci {

// A = Z T Z^H, T of Schur form.
template <typename T>
class SchurFactor {
 public:
  explicit SchurFactor(int n) : n_(n), lead_(std::max(1, n)), w_(lead_), real_(lead_), work_(1) {
    Gees(w_.data(), w_.data(), -1);
    work_.resize(WorkSize(std::real(work_[0])));
  }

  // Writes T over the matrix t, and Z; returns LAPACK's info.
  int operator()(T* t, T* z) { return Gees(t, z, static_cast<int>(work_.size())); }

 private:
  int Gees(T* t, T* z, int length) {
    char vectors[] = "V", unsorted[] = "N";
    int none = 0, info = 0;
    if constexpr (std::is_same_v<T, double>) {
      routines.dgees(vectors, unsorted, nullptr, &n_, t, &lead_, &none, w_.data(), real_.data(), z,
                     &lead_, work_.data(), &length, nullptr, &info);
    } else {
      routines.zgees(vectors, unsorted, nullptr, &n_, t, &lead_, &none, w_.data(), z, &lead_,
                     work_.data(), &length, real_.data(), nullptr, &info);
    }
    return info;
  }

  int n_, lead_;
  std::vector<T> w_;          // eigenvalues, or their real parts
  std::vector<double> real_;  // imaginary parts, or room
  std::vector<T> work_;
};

// Eigenvalues, and the vectors that are wanted.
template <typename T>
class EigFactor {
 public:
  EigFactor(int n, bool with_left, bool with_right)
      : n_(n), lead_(std::max(1, n)), w_(lead_), real_(2 * static_cast<size_t>(lead_)),
        left_(Room(n, with_left)), right_(Room(n, with_right)), work_(1) {
    on_left_[0] = with_left ? 'V' : 'N';
    on_right_[0] = with_right ? 'V' : 'N';
    Geev(w_.data(), -1);
    work_.resize(WorkSize(std::real(work_[0])));
  }

  // Writes over the matrix a; returns LAPACK's info.
  int operator()(T* a) { return Geev(a, static_cast<int>(work_.size())); }

  void Values(Complex* w) const {
    if constexpr (std::is_same_v<T, double>) {
      for (int j = 0; j < n_; ++j) w[j] = Complex(w_[j], real_[j]);
    } else {
      std::copy(w_.begin(), w_.end(), w);
    }
  }

  void Left(Complex* v) const { Vectors(left_, v); }
  void Right(Complex* v) const { Vectors(right_, v); }

 private:
  static size_t Room(int n, bool wanted) { return wanted ? static_cast<size_t>(n) * n : 1; }

  void Vectors(const std::vector<T>& found, Complex* v) const {
    std::copy(found.begin(), found.end(), v);
    if constexpr (std::is_same_v<T, double>) {
      for (int j = 0; j + 1 < n_; ++j) {
        if (real_[j] == 0) continue;
        // A pair of complex vectors is stored as real and imaginary part.
        Complex* x = v + static_cast<size_t>(j) * n_;
        for (int i = 0; i < n_; ++i) {
          x[i] = Complex(x[i].real(), x[n_ + i].real());
          x[n_ + i] = std::conj(x[i]);
        }
        ++j;
      }
    }
  }

  int Geev(T* a, int length) {
    int info = 0;
    if constexpr (std::is_same_v<T, double>) {
      routines.dgeev(on_left_, on_right_, &n_, a, &lead_, w_.data(), real_.data(), left_.data(),
                     &lead_, right_.data(), &lead_, work_.data(), &length, &info);
    } else {
      routines.zgeev(on_left_, on_right_, &n_, a, &lead_, w_.data(), left_.data(), &lead_,
                     right_.data(), &lead_, work_.data(), &length, real_.data(), &info);
    }
    return info;
  }

  int n_, lead_;
  std::vector<T> w_;              // eigenvalues, or their real parts
  std::vector<double> real_;      // imaginary parts, or room
  std::vector<T> left_, right_;
  std::vector<T> work_;
  char on_left_[2] = {}, on_right_[2] = {};
};

// A = U H U^H, H of Hessenberg form.
template <typename T>
class HessenbergFactor {
 public:
  explicit HessenbergFactor(int n)
      : n_(n), lead_(std::max(1, n)), scale_(lead_), reflectors_(lead_), work_(1) {
    int low = 1, high = n;
    T none{};
    Gehrd(&low, &high, &none, -1);
    const int length = WorkSize(std::real(work_[0]));
    Unghr(&low, &high, &none, -1);
    work_.resize(std::max(length, WorkSize(std::real(work_[0]))));
  }

  // Writes H over the matrix h, and U; returns LAPACK's info.
  int operator()(T* h, T* u) {
    const int length = static_cast<int>(work_.size());
    char permute[] = "P", right[] = "R";
    int low = 1, high = n_, info = 0;
    // As gees does: rows and columns of triangular matrices are put in their order.
    lapack_.gebal(permute, &n_, h, &lead_, &low, &high, scale_.data(), &info);
    if (info == 0) info = Gehrd(&low, &high, h, length);
    if (info != 0) return info;
    std::copy(h, h + static_cast<size_t>(n_) * n_, u);
    for (int j = 0; j + 2 < n_; ++j) std::fill(h + j * n_ + j + 2, h + (j + 1) * n_, T(0));
    info = Unghr(&low, &high, u, length);
    if (info == 0) {
      lapack_.gebak(permute, right, &n_, &low, &high, scale_.data(), &n_, u, &lead_, &info);
    }
    return info;
  }

 private:
  int Gehrd(int* low, int* high, T* h, int length) {
    int info = 0;
    lapack_.gehrd(&n_, low, high, h, &lead_, reflectors_.data(), work_.data(), &length, &info);
    return info;
  }

  int Unghr(int* low, int* high, T* u, int length) {
    int info = 0;
    lapack_.unghr(&n_, low, high, u, &lead_, reflectors_.data(), work_.data(), &length, &info);
    return info;
  }

  const ForHessenberg<T>& lapack_ = HessenbergRoutines<T>();
  int n_, lead_;
  std::vector<double> scale_;
  std::vector<T> reflectors_, work_;
};

}  // namespace jaxsci

#endif  // JAXSCI_NATIVE_FACTOR_H_
