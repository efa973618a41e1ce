// Sylvester's equation for stacks of matrices: that of Schur forms, and the whole one.
#include <cmath>
#include <type_traits>
#include <vector>

#include "factor.h"
#include "hessenberg_schur.h"
#include "lapack.h"
#include "pieces.h"

namespace jaxsci {
namespace {

// Whether a stack has square matrices of this order, one for each of `count` or one for all.
template <typename T>
bool Fits(const Stack<T>& a, size_t count, size_t order) {
  return (a.shape(0) == count || a.shape(0) == 1) && a.shape(1) == order && a.shape(2) == order;
}

// The i-th matrix of such a stack.
template <typename T>
T* At(const Stack<T>& a, size_t i) {
  return a.data() + (a.shape(0) == 1 ? 0 : i) * a.shape(1) * a.shape(2);
}

template <typename T>
void OfSchurForms(Stack<T> r, Stack<T> s, Stack<T> x, Line<double> scale, Line<int32_t> info,
                  int threads, Trsyl<T>* trsyl) {
  const size_t count = x.shape(0);
  const int columns = Size(x.shape(1)), rows = Size(x.shape(2));
  Require(Fits(r, count, x.shape(2)) && Fits(s, count, x.shape(1)) && scale.shape(0) == count &&
          info.shape(0) == count);
  nb::gil_scoped_release unlocked;
  OverThreads(count, threads, [&](Pieces& pieces) {
    char plain[] = "N", adjoint[] = "C";
    int m = rows, n = columns, sign = 1, lead_m = std::max(1, m), lead_n = std::max(1, n);
    pieces.ForEach([&](size_t i) {
      trsyl(plain, adjoint, &sign, &m, &n, At(r, i), &lead_m, At(s, i), &lead_n,
            x.data() + i * x.shape(1) * x.shape(2), &lead_m, scale.data() + i, info.data() + i);
    });
  });
}

template <typename T>
T Conjugate(T x) {
  if constexpr (std::is_same_v<T, double>) {
    return x;
  } else {
    return std::conj(x);
  }
}

template <typename T>
void Adjoint(int n, const T* a, T* out) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) out[j + i * n] = Conjugate(a[i + j * n]);
  }
}

// The largest modulus in a matrix, to a factor of sqrt(2); NaN where an element is.
template <typename T>
double Largest(const std::vector<T>& a) {
  double largest = 0;
  for (const T& x : a) {
    const double size = SizeOf(x);
    if (size > largest || std::isnan(size)) largest = size;
  }
  return largest;
}

// c = a b for a of shape (m, k) and b of shape (k, n), columns first.
template <typename T>
void Multiply(int m, int n, int k, const T* a, const T* b, T* c) {
  std::fill(c, c + static_cast<size_t>(m) * n, T(0));
  for (int j = 0; j < n; ++j) {
    for (int l = 0; l < k; ++l) {
      const T factor = -b[l + j * k];
      for (int i = 0; i < m; ++i) c[i + j * m] = Less(c[i + j * m], a[i + l * m], factor);
    }
  }
}

// Solves P X + X R = Q, and keeps what depends on P alone and on R alone.
template <typename T>
class Equation {
 public:
  Equation(int p, int r)
      : p_(p), r_(r), hessenberg_(p), schur_(r), solver_(p, r),
        h_(Area(p, p)), u_(Area(p, p)), u_adjoint_(Area(p, p)),
        s_(Area(r, r)), v_(Area(r, r)), v_adjoint_(Area(r, r)),
        f_(Area(p, r)), half_(Area(p, r)) {}

  void SetLeft(const T* p) {
    std::copy(p, p + h_.size(), h_.begin());
    left_fails_ = hessenberg_(h_.data(), u_.data()) != 0;
    Adjoint(p_, u_.data(), u_adjoint_.data());
    solver_.SetHessenberg(h_.data());
    left_size_ = Largest(h_);
  }

  void SetRight(const T* r) {
    std::copy(r, r + s_.size(), s_.begin());
    right_fails_ = schur_(s_.data(), v_.data()) != 0;
    Adjoint(r_, v_.data(), v_adjoint_.data());
    right_size_ = Largest(s_);
  }

  // Writes X over Q. False: there is no solution, or none that rounding leaves anything of, if
  // eigenvalues are uncertain by `uncertainty` times the largest element.
  bool Solve(T* x, double uncertainty) {
    if (left_fails_ || right_fails_) return false;
    Multiply(p_, r_, p_, u_adjoint_.data(), x, half_.data());
    Multiply(p_, r_, r_, half_.data(), v_.data(), f_.data());
    const double tiny = uncertainty * std::max(left_size_, right_size_);
    const double size = Largest(f_);
    if (!(solver_.Solve(s_.data(), f_.data()) > tiny)) return false;
    if (!(Largest(f_) * tiny <= size)) return false;
    Multiply(p_, r_, p_, u_.data(), f_.data(), half_.data());
    Multiply(p_, r_, r_, half_.data(), v_adjoint_.data(), x);
    return true;
  }

 private:
  static size_t Area(int m, int n) { return static_cast<size_t>(m) * n; }

  const int p_, r_;
  HessenbergFactor<T> hessenberg_;
  SchurFactor<T> schur_;
  HessenbergSchur<T> solver_;
  std::vector<T> h_, u_, u_adjoint_, s_, v_, v_adjoint_, f_, half_;
  double left_size_ = 0, right_size_ = 0;
  bool left_fails_ = false, right_fails_ = false;
};

constexpr int kLargest = 10000;  // places in a matrix of twice the order are counted by int

template <typename T>
void OfMatrices(Stack<const T> p, Stack<const T> r, Stack<T> x, double uncertainty,
                Line<int32_t> info, int threads) {
  const size_t count = x.shape(0), area = x.shape(1) * x.shape(2);
  Require(Fits(p, count, x.shape(2)) && Fits(r, count, x.shape(1)) && info.shape(0) == count);
  const int rows = Size(x.shape(2)), columns = Size(x.shape(1));
  if (std::max(rows, columns) > kLargest) throw nb::value_error("the matrices are too large");
  nb::gil_scoped_release unlocked;
  if (area == 0) return;
  OverThreads(count, threads, [&](Pieces& pieces) {
    Equation<T> equation(rows, columns);
    bool first = true;
    pieces.ForEach([&](size_t i) {
      if (first || p.shape(0) > 1) equation.SetLeft(At(p, i));
      if (first || r.shape(0) > 1) equation.SetRight(At(r, i));
      first = false;
      info.data()[i] = equation.Solve(x.data() + i * area, uncertainty) ? 0 : 1;
    });
  });
}

template <typename T>
void Define(nb::module_& m, Trsyl<T>** trsyl) {
  m.def(
      "sylvester_of_schur_forms",
      [trsyl](Stack<T> r, Stack<T> s, Stack<T> x, Line<double> scale, Line<int32_t> info,
              int threads) {
        OfSchurForms<T>(r, s, x, scale, info, threads, *trsyl);
      },
      nb::arg("r").noconvert(), nb::arg("s").noconvert(), nb::arg("x").noconvert(),
      nb::arg("scale").noconvert(), nb::arg("info").noconvert(), nb::arg("threads"),
      "Solutions Y of r Y + Y s^H = scale F for Schur forms r and s; F, in x, is written over.");
  m.def("sylvester", &OfMatrices<T>, nb::arg("p").noconvert(), nb::arg("r").noconvert(),
        nb::arg("x").noconvert(), nb::arg("uncertainty"), nb::arg("info").noconvert(),
        nb::arg("threads"),
        "Solutions X of p X + X r = Q; Q, in x, is written over.");
}

}  // namespace

void DefineSylvester(nb::module_& m) {
  Define<double>(m, &routines.dtrsyl);
  Define<Complex>(m, &routines.ztrsyl);
}

}  // namespace jaxsci
