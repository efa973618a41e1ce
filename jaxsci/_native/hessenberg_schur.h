// Sylvester's equation P X + X R = Q by the method of Golub, Nash and Van Loan (IEEE Trans.
// Automat. Control 24 (1979), 909-913).
//
// With P = U H U^H, H of Hessenberg form, and R = V S V^H, S of Schur form, the columns of
// Y = U^H X V follow from each other: (H + s_kk I) y_k = f_k - sum_{j<k} s_jk y_j. A pair of complex
// eigenvalues of a real R, a block of order two in S, gives two columns at once. Against two Schur
// forms this saves the dearer of the two.
#ifndef JAXSCI_NATIVE_HESSENBERG_SCHUR_H_
#define JAXSCI_NATIVE_HESSENBERG_SCHUR_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace jaxsci {

// x - y z. C++ looks for NaN in every complex product, which takes longer than the product.
inline double Less(double x, double y, double z) { return x - y * z; }
inline std::complex<double> Less(std::complex<double> x, std::complex<double> y,
                                 std::complex<double> z) {
  return {x.real() - (y.real() * z.real() - y.imag() * z.imag()),
          x.imag() - (y.real() * z.imag() + y.imag() * z.real())};
}

inline double Conjugate(double x) { return x; }
inline std::complex<double> Conjugate(std::complex<double> x) { return std::conj(x); }

// Larger than every element's modulus over sqrt(2), NaN if one is NaN.
inline double SizeOf(double x) { return std::abs(x); }
inline double SizeOf(std::complex<double> x) {
  return std::max(std::abs(x.real()), std::abs(x.imag()));
}

// Solves a x = rhs by elimination with pivots from the rows just below; a is written over.
//
// Args:
//   a: rows first, of order n, zero more than `band` places below the diagonal.
//   x: the right-hand side, in place of which the solution comes.
//
// Returns the smallest pivot's size: where it is 0, there is no solution.
template <typename T>
double Eliminate(int n, int band, T* a, T* x) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n; ++i) {
    const int end = std::min(n, i + band + 1);
    int pivot = i;
    for (int l = i + 1; l < end; ++l) {
      if (SizeOf(a[l * n + i]) > SizeOf(a[pivot * n + i])) pivot = l;
    }
    if (pivot != i) {
      std::swap_ranges(a + i * n + i, a + (i + 1) * n, a + pivot * n + i);
      std::swap(x[i], x[pivot]);
    }
    const T* row = a + i * n;
    smallest = std::min(smallest, SizeOf(row[i]));
    if (!(smallest > 0)) return 0;
    for (int l = i + 1; l < end; ++l) {
      T* other = a + l * n;
      if (other[i] == T(0)) continue;
      const T factor = other[i] / row[i];
      for (int j = i + 1; j < n; ++j) other[j] = Less(other[j], factor, row[j]);
      x[l] = Less(x[l], factor, x[i]);
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] = Less(x[i], a[i * n + j], x[j]);
    x[i] /= a[i * n + i];
  }
  return smallest;
}

// Solves H Y + Y S = F.
template <typename T>
class HessenbergSchur {
 public:
  HessenbergSchur(int p, int r) : p_(p), r_(r), h_(Square(p)), block_(4 * Square(p)), x_(2 * p) {}

  // Takes a Hessenberg matrix, columns first.
  void SetHessenberg(const T* h) {
    for (int i = 0; i < p_; ++i) {
      for (int j = 0; j < p_; ++j) h_[i * p_ + j] = h[i + j * p_];
    }
  }

  // Writes Y over F, both columns first; s is a Schur form, columns first. Returns the smallest
  // pivot on the way.
  double Solve(const T* s, T* f) {
    double smallest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < r_;) {
      const bool pair = k + 1 < r_ && s[k + 1 + k * r_] != T(0);
      const int width = pair ? 2 : 1;
      for (int column = k; column < k + width; ++column) {
        T* y = f + column * p_;
        for (int j = 0; j < k; ++j) {
          const T factor = s[j + column * r_];
          for (int i = 0; i < p_; ++i) y[i] = Less(y[i], factor, f[i + j * p_]);
        }
      }
      smallest = std::min(smallest, pair ? SolvePair(s + k + k * r_, f + k * p_)
                                         : SolveOne(s[k + k * r_], f + k * p_));
      if (!(smallest > 0)) return 0;
      k += width;
    }
    return smallest;
  }

 private:
  static size_t Square(int n) { return static_cast<size_t>(n) * n; }

  // (H + shift I) y = f.
  double SolveOne(T shift, T* y) {
    std::copy(h_.begin(), h_.end(), block_.begin());
    for (int i = 0; i < p_; ++i) block_[i * p_ + i] += shift;
    return Eliminate(p_, 1, block_.data(), y);
  }

  // H [y z] + [y z] B = [f g] for a B of order two, with the unknowns y_1 z_1 y_2 z_2 ...
  double SolvePair(const T* b, T* y) {
    const int n = 2 * p_;
    std::fill(block_.begin(), block_.end(), T(0));
    for (int i = 0; i < p_; ++i) {
      T* rows[] = {block_.data() + 2 * i * n, block_.data() + (2 * i + 1) * n};
      for (int j = std::max(0, i - 1); j < p_; ++j) {
        rows[0][2 * j] = rows[1][2 * j + 1] = h_[i * p_ + j];
      }
      for (int c = 0; c < 2; ++c) {
        for (int d = 0; d < 2; ++d) rows[c][2 * i + d] += b[d + c * r_];
        x_[2 * i + c] = y[i + c * p_];
      }
    }
    const double smallest = Eliminate(n, 2, block_.data(), x_.data());
    for (int i = 0; i < p_; ++i) {
      for (int c = 0; c < 2; ++c) y[i + c * p_] = x_[2 * i + c];
    }
    return smallest;
  }

  const int p_, r_;
  std::vector<T> h_, block_, x_;  // h_ and block_: rows first
};

}  // namespace jaxsci

#endif  // JAXSCI_NATIVE_HESSENBERG_SCHUR_H_
