// LAPACK's routines of SciPy, for stacks of matrices, without the interpreter lock.
//
// SciPy offers them one matrix at a time, and holds the lock meanwhile. Matrices are columns first
// here, as LAPACK has them, and one after the other. What is written over is said in the docstrings
// at the end.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace nb = nanobind;

namespace {

using Complex = std::complex<double>;
template <typename T>
using Stack = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Rows = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Line = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Gees = void(char*, char*, void*, int*, double*, int*, int*, double*, double*, double*, int*,
                  double*, int*, int*, int*);
using GeesComplex = void(char*, char*, void*, int*, Complex*, int*, int*, Complex*, Complex*, int*,
                         Complex*, int*, double*, int*, int*);
using Geev = void(char*, char*, int*, double*, int*, double*, double*, double*, int*, double*, int*,
                  double*, int*, int*);
using GeevComplex = void(char*, char*, int*, Complex*, int*, Complex*, Complex*, int*, Complex*,
                         int*, Complex*, int*, double*, int*);
template <typename T>
using Trsyl = void(char*, char*, int*, int*, int*, T*, int*, T*, int*, T*, int*, double*, int*);

// LAPACK's routines, found when the module is imported. They live as long as SciPy's module does,
// which is never unloaded.
struct Routines {
  Gees* dgees;
  GeesComplex* zgees;
  Geev* dgeev;
  GeevComplex* zgeev;
  Trsyl<double>* dtrsyl;
  Trsyl<Complex>* ztrsyl;
} routines;

template <typename F>
void Find(const nb::dict& table, const char* name, F*& routine) {
  nb::object capsule = nb::borrow(table[name]);
  const char* signature = PyCapsule_GetName(capsule.ptr());
  // SciPy's integers are C's here; a build with longer ones says so in the signature.
  const std::string text = signature == nullptr ? "" : signature;
  if (text.find(" int *,") == std::string::npos || text.find("int64") != std::string::npos ||
      text.find("blas_int") != std::string::npos || text.find("long") != std::string::npos) {
    throw nb::import_error("SciPy's LAPACK has integers of another size");
  }
  routine = reinterpret_cast<F*>(PyCapsule_GetPointer(capsule.ptr(), signature));
}

int Size(size_t n) {
  if (n > 40000) throw nb::value_error("the matrices are too large");
  return static_cast<int>(n);
}

void Require(bool fits) {
  if (!fits) throw nb::value_error("the shapes do not fit");
}

// The size of the workspace, from what a query has left in its first place.
int WorkSize(double x) { return std::max(1, static_cast<int>(x)); }

// Calls LAPACK for every matrix, with the workspace that it asks for: call(i, work, length).
template <typename T, typename Call>
void ForEach(size_t count, int n, Call call) {
  if (n == 0 || count == 0) return;
  std::vector<T> work(1);
  int length = -1;  // a query
  call(0, work.data(), &length);
  length = WorkSize(std::real(work[0]));
  work.resize(length);
  for (size_t i = 0; i < count; ++i) call(i, work.data(), &length);
}

template <typename T>
void RequireSchur(const Stack<T>& t, const Stack<T>& z, const Line<int32_t>& info) {
  Require(t.shape(2) == t.shape(1) && z.shape(0) == t.shape(0) && z.shape(1) == t.shape(1) &&
          z.shape(2) == t.shape(1) && info.shape(0) == t.shape(0));
}

void Schur(Stack<double> t, Stack<double> z, Line<int32_t> info) {
  int n = Size(t.shape(1)), lead = std::max(1, n), dimension = 0;
  RequireSchur(t, z, info);
  nb::gil_scoped_release unlocked;
  char vectors[] = "V", unsorted[] = "N";
  std::vector<double> wr(lead), wi(lead);
  std::vector<int> flags(lead);
  ForEach<double>(t.shape(0), n, [&](size_t i, double* work, int* length) {
    routines.dgees(vectors, unsorted, nullptr, &n, t.data() + i * n * n, &lead, &dimension,
                   wr.data(), wi.data(), z.data() + i * n * n, &lead, work, length, flags.data(),
                   info.data() + i);
  });
}

void SchurComplex(Stack<Complex> t, Stack<Complex> z, Line<int32_t> info) {
  int n = Size(t.shape(1)), lead = std::max(1, n), dimension = 0;
  RequireSchur(t, z, info);
  nb::gil_scoped_release unlocked;
  char vectors[] = "V", unsorted[] = "N";
  std::vector<Complex> w(lead);
  std::vector<double> real(lead);
  std::vector<int> flags(lead);
  ForEach<Complex>(t.shape(0), n, [&](size_t i, Complex* work, int* length) {
    routines.zgees(vectors, unsorted, nullptr, &n, t.data() + i * n * n, &lead, &dimension,
                   w.data(), z.data() + i * n * n, &lead, work, length, real.data(), flags.data(),
                   info.data() + i);
  });
}

// The vectors of a real matrix: pairs of complex ones are stored as real and imaginary part.
void Unpack(int n, const double* wi, const double* packed, Complex* v) {
  for (int j = 0; j < n; ++j) {
    const double* x = packed + static_cast<size_t>(j) * n;
    Complex* y = v + static_cast<size_t>(j) * n;
    if (wi[j] == 0 || j + 1 == n) {
      for (int i = 0; i < n; ++i) y[i] = x[i];
      continue;
    }
    for (int i = 0; i < n; ++i) {
      y[i] = Complex(x[i], x[n + i]);
      y[n + i] = Complex(x[i], -x[n + i]);
    }
    ++j;
  }
}

// The shapes of an eigenvalue problem, and which vectors are wanted: an empty stack says none.
struct Problem {
  template <typename T>
  Problem(const Stack<T>& a, const Rows<Complex>& w, const Stack<Complex>& left,
          const Stack<Complex>& right, const Line<int32_t>& info)
      : count(a.shape(0)), order(a.shape(1)), n(Size(order)), lead(std::max(1, n)) {
    Require(a.shape(2) == order && w.shape(0) == count && w.shape(1) == order &&
            info.shape(0) == count);
    with_left = Wanted(left);
    with_right = Wanted(right);
    on_left[0] = with_left ? 'V' : 'N';
    on_right[0] = with_right ? 'V' : 'N';
  }

  bool Wanted(const Stack<Complex>& v) const {
    if (v.shape(0) == 0) return false;
    Require(v.shape(0) == count && v.shape(1) == order && v.shape(2) == order);
    return true;
  }

  const size_t count, order;
  int n, lead;
  bool with_left, with_right;
  char on_left[2] = {}, on_right[2] = {};
};

void Eig(Stack<double> a, Rows<Complex> w, Stack<Complex> left, Stack<Complex> right,
         Line<int32_t> info) {
  Problem p(a, w, left, right, info);
  nb::gil_scoped_release unlocked;
  const size_t square = p.order * p.order;
  std::vector<double> wr(p.lead), wi(p.lead);
  std::vector<double> vl(p.with_left ? square : 1), vr(p.with_right ? square : 1);
  ForEach<double>(p.count, p.n, [&](size_t i, double* work, int* length) {
    routines.dgeev(p.on_left, p.on_right, &p.n, a.data() + i * square, &p.lead, wr.data(),
                   wi.data(), vl.data(), &p.lead, vr.data(), &p.lead, work, length,
                   info.data() + i);
    if (*length < 0 || info.data()[i] != 0) return;
    for (int j = 0; j < p.n; ++j) w.data()[i * p.n + j] = Complex(wr[j], wi[j]);
    if (p.with_left) Unpack(p.n, wi.data(), vl.data(), left.data() + i * square);
    if (p.with_right) Unpack(p.n, wi.data(), vr.data(), right.data() + i * square);
  });
}

void EigComplex(Stack<Complex> a, Rows<Complex> w, Stack<Complex> left, Stack<Complex> right,
                Line<int32_t> info) {
  Problem p(a, w, left, right, info);
  nb::gil_scoped_release unlocked;
  const size_t square = p.order * p.order;
  std::vector<Complex> none(1);
  std::vector<double> real(2 * static_cast<size_t>(p.lead));
  ForEach<Complex>(p.count, p.n, [&](size_t i, Complex* work, int* length) {
    routines.zgeev(p.on_left, p.on_right, &p.n, a.data() + i * square, &p.lead,
                   w.data() + i * p.n, p.with_left ? left.data() + i * square : none.data(),
                   &p.lead, p.with_right ? right.data() + i * square : none.data(), &p.lead, work,
                   length, real.data(), info.data() + i);
  });
}

template <typename T>
void Sylvester(Stack<T> r, Stack<T> s, Stack<T> x, Line<double> scale, Line<int32_t> info,
               Trsyl<T>* trsyl) {
  const size_t count = x.shape(0);
  int n = Size(x.shape(1)), m = Size(x.shape(2)), sign = 1;
  int lead_m = std::max(1, m), lead_n = std::max(1, n);
  auto fits = [&](const Stack<T>& a, size_t order) {
    return (a.shape(0) == count || a.shape(0) == 1) && a.shape(1) == order && a.shape(2) == order;
  };
  Require(fits(r, x.shape(2)) && fits(s, x.shape(1)) && scale.shape(0) == count &&
          info.shape(0) == count);
  nb::gil_scoped_release unlocked;
  char plain[] = "N", adjoint[] = "C";
  for (size_t i = 0; i < count; ++i) {
    trsyl(plain, adjoint, &sign, &m, &n, r.data() + (r.shape(0) == 1 ? 0 : i) * m * m, &lead_m,
          s.data() + (s.shape(0) == 1 ? 0 : i) * n * n, &lead_n, x.data() + i * m * n, &lead_m,
          scale.data() + i, info.data() + i);
  }
}

}  // namespace

NB_MODULE(_lapack, m) {
  const nb::dict table =
      nb::module_::import_("scipy.linalg.cython_lapack").attr("__pyx_capi__");
  Find(table, "dgees", routines.dgees);
  Find(table, "zgees", routines.zgees);
  Find(table, "dgeev", routines.dgeev);
  Find(table, "zgeev", routines.zgeev);
  Find(table, "dtrsyl", routines.dtrsyl);
  Find(table, "ztrsyl", routines.ztrsyl);
  const char* schur = "Schur forms of the stack t, written over it, and their vectors in z.";
  m.def("schur", &Schur, nb::arg("t").noconvert(), nb::arg("z").noconvert(),
        nb::arg("info").noconvert(), schur);
  m.def("schur", &SchurComplex, nb::arg("t").noconvert(), nb::arg("z").noconvert(),
        nb::arg("info").noconvert(), schur);
  const char* eig = "Eigenvalues, and vectors where there is room; the stack a is written over.";
  m.def("eig", &Eig, nb::arg("a").noconvert(), nb::arg("w").noconvert(),
        nb::arg("left").noconvert(), nb::arg("right").noconvert(), nb::arg("info").noconvert(),
        eig);
  m.def("eig", &EigComplex, nb::arg("a").noconvert(), nb::arg("w").noconvert(),
        nb::arg("left").noconvert(), nb::arg("right").noconvert(), nb::arg("info").noconvert(),
        eig);
  const char* sylvester =
      "Solutions Y of r Y + Y s^H = scale F for Schur forms r and s; F, in x, is written over.";
  m.def(
      "sylvester",
      [](Stack<double> r, Stack<double> s, Stack<double> x, Line<double> scale,
         Line<int32_t> info) { Sylvester<double>(r, s, x, scale, info, routines.dtrsyl); },
      nb::arg("r").noconvert(), nb::arg("s").noconvert(), nb::arg("x").noconvert(),
      nb::arg("scale").noconvert(), nb::arg("info").noconvert(), sylvester);
  m.def(
      "sylvester",
      [](Stack<Complex> r, Stack<Complex> s, Stack<Complex> x, Line<double> scale,
         Line<int32_t> info) { Sylvester<Complex>(r, s, x, scale, info, routines.ztrsyl); },
      nb::arg("r").noconvert(), nb::arg("s").noconvert(), nb::arg("x").noconvert(),
      nb::arg("scale").noconvert(), nb::arg("info").noconvert(), sylvester);
}
