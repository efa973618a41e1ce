// Schur forms, eigenvalues and vectors of stacks of matrices, without the interpreter lock.
//
// SciPy offers LAPACK's routines one matrix at a time, and holds the lock meanwhile. Matrices are
// columns first here, as LAPACK has them, and one after the other. What is written over is said in
// the docstrings at the end.
#include <string>

#include "factor.h"
#include "pieces.h"

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
void Schur(Stack<T> t, Stack<T> z, Line<int32_t> info, int threads) {
  const size_t count = t.shape(0), order = t.shape(1);
  Require(t.shape(2) == order && z.shape(0) == count && z.shape(1) == order &&
          z.shape(2) == order && info.shape(0) == count);
  const int n = Size(order);
  nb::gil_scoped_release unlocked;
  if (n == 0) return;
  OverThreads(count, threads, [&](Pieces& pieces) {
    SchurFactor<T> factor(n);
    pieces.ForEach([&](size_t i) {
      info.data()[i] = factor(t.data() + i * order * order, z.data() + i * order * order);
    });
  });
}

// The shapes of an eigenvalue problem, and which vectors are wanted: an empty stack says none.
struct Problem {
  template <typename T>
  Problem(const Stack<T>& a, const Rows<Complex>& w, const Stack<Complex>& left,
          const Stack<Complex>& right, const Line<int32_t>& info)
      : count(a.shape(0)), order(a.shape(1)), n(Size(order)) {
    Require(a.shape(2) == order && w.shape(0) == count && w.shape(1) == order &&
            info.shape(0) == count);
    with_left = Wanted(left);
    with_right = Wanted(right);
  }

  bool Wanted(const Stack<Complex>& v) const {
    if (v.shape(0) == 0) return false;
    Require(v.shape(0) == count && v.shape(1) == order && v.shape(2) == order);
    return true;
  }

  const size_t count, order;
  const int n;
  bool with_left, with_right;
};

template <typename T>
void Eig(Stack<T> a, Rows<Complex> w, Stack<Complex> left, Stack<Complex> right,
         Line<int32_t> info, int threads) {
  const Problem p(a, w, left, right, info);
  nb::gil_scoped_release unlocked;
  if (p.n == 0) return;
  const size_t square = p.order * p.order;
  OverThreads(p.count, threads, [&](Pieces& pieces) {
    EigFactor<T> factor(p.n, p.with_left, p.with_right);
    pieces.ForEach([&](size_t i) {
      info.data()[i] = factor(a.data() + i * square);
      if (info.data()[i] != 0) return;
      factor.Values(w.data() + i * p.order);
      if (p.with_left) factor.Left(left.data() + i * square);
      if (p.with_right) factor.Right(right.data() + i * square);
    });
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
        nb::arg("info").noconvert(), nb::arg("threads"), schur);
  m.def("schur", &Schur<Complex>, nb::arg("t").noconvert(), nb::arg("z").noconvert(),
        nb::arg("info").noconvert(), nb::arg("threads"), schur);
  const char* eig = "Eigenvalues, and vectors where there is room; the stack a is written over.";
  m.def("eig", &Eig<double>, nb::arg("a").noconvert(), nb::arg("w").noconvert(),
        nb::arg("left").noconvert(), nb::arg("right").noconvert(), nb::arg("info").noconvert(),
        nb::arg("threads"), eig);
  m.def("eig", &Eig<Complex>, nb::arg("a").noconvert(), nb::arg("w").noconvert(),
        nb::arg("left").noconvert(), nb::arg("right").noconvert(), nb::arg("info").noconvert(),
        nb::arg("threads"), eig);
  DefineSylvester(m);
}
