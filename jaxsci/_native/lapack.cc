// Schur forms, eigenvalues and vectors of stacks of matrices, without the interpreter lock.
//
// SciPy offers LAPACK's routines one matrix at a time, and holds the lock meanwhile. Matrices are
// columns first here, as LAPACK has them, and one after the other. What is written over is said in
// the docstrings at the end.
#include <string>
#include <vector>

#include "factor.h"

namespace jaxsci {

Routines routines;

namespace {

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

template <typename T>
void Schur(Stack<T> t, Stack<T> z, Line<int32_t> info) {
  const size_t count = t.shape(0), order = t.shape(1);
  Require(t.shape(2) == order && z.shape(0) == count && z.shape(1) == order &&
          z.shape(2) == order && info.shape(0) == count);
  const int n = Size(order);
  nb::gil_scoped_release unlocked;
  if (n == 0) return;
  SchurFactor<T> factor(n);
  for (size_t i = 0; i < count; ++i) {
    info.data()[i] = factor(t.data() + i * order * order, z.data() + i * order * order);
  }
}

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

}  // namespace
}  // namespace jaxsci

NB_MODULE(_lapack, m) {
  using namespace jaxsci;
  const nb::dict table =
      nb::module_::import_("scipy.linalg.cython_lapack").attr("__pyx_capi__");
  Find(table, "dgees", routines.dgees);
  Find(table, "zgees", routines.zgees);
  Find(table, "dgeev", routines.dgeev);
  Find(table, "zgeev", routines.zgeev);
  Find(table, "dtrsyl", routines.dtrsyl);
  Find(table, "ztrsyl", routines.ztrsyl);
  Find(table, "dgebal", routines.d.gebal);
  Find(table, "dgebak", routines.d.gebak);
  Find(table, "dgehrd", routines.d.gehrd);
  Find(table, "dorghr", routines.d.unghr);
  Find(table, "zgebal", routines.z.gebal);
  Find(table, "zgebak", routines.z.gebak);
  Find(table, "zgehrd", routines.z.gehrd);
  Find(table, "zunghr", routines.z.unghr);
  const char* schur = "Schur forms of the stack t, written over it, and their vectors in z.";
  m.def("schur", &Schur<double>, nb::arg("t").noconvert(), nb::arg("z").noconvert(),
        nb::arg("info").noconvert(), schur);
  m.def("schur", &Schur<Complex>, nb::arg("t").noconvert(), nb::arg("z").noconvert(),
        nb::arg("info").noconvert(), schur);
  const char* eig = "Eigenvalues, and vectors where there is room; the stack a is written over.";
  m.def("eig", &Eig, nb::arg("a").noconvert(), nb::arg("w").noconvert(),
        nb::arg("left").noconvert(), nb::arg("right").noconvert(), nb::arg("info").noconvert(),
        eig);
  m.def("eig", &EigComplex, nb::arg("a").noconvert(), nb::arg("w").noconvert(),
        nb::arg("left").noconvert(), nb::arg("right").noconvert(), nb::arg("info").noconvert(),
        eig);
  DefineSylvester(m);
}
