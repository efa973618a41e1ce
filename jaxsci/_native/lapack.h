// LAPACK's routines as SciPy offers them to Cython, and what their callers here have in common.
#ifndef JAXSCI_NATIVE_LAPACK_H_
#define JAXSCI_NATIVE_LAPACK_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace jaxsci {

namespace nb = nanobind;

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

// What takes a matrix to Hessenberg form.
template <typename T>
struct ForHessenberg {
  void (*gebal)(char*, int*, T*, int*, int*, int*, double*, int*);
  void (*gebak)(char*, char*, int*, int*, int*, double*, int*, T*, int*, int*);
  void (*gehrd)(int*, int*, int*, T*, int*, T*, T*, int*, int*);
  void (*unghr)(int*, int*, int*, T*, int*, T*, T*, int*, int*);  // orghr, if T is real
};

// LAPACK's routines, found when the module is imported. They live as long as SciPy's module does,
// which is never unloaded.
struct Routines {
  Gees* dgees;
  GeesComplex* zgees;
  Geev* dgeev;
  GeevComplex* zgeev;
  Trsyl<double>* dtrsyl;
  Trsyl<Complex>* ztrsyl;
  ForHessenberg<double> d;
  ForHessenberg<Complex> z;
};

extern Routines routines;

template <typename T>
const ForHessenberg<T>& HessenbergRoutines() {
  if constexpr (std::is_same_v<T, double>) {
    return routines.d;
  } else {
    return routines.z;
  }
}

inline int Size(size_t n) {
  if (n > 40000) throw nb::value_error("the matrices are too large");
  return static_cast<int>(n);
}

inline void Require(bool fits) {
  if (!fits) throw nb::value_error("the shapes do not fit");
}

// The size of the workspace, from what a query has left in its first place.
inline int WorkSize(double x) { return std::max(1, static_cast<int>(x)); }

// Adds the functions that solve Sylvester's equation to the module.
void DefineSylvester(nb::module_& m);

}  // namespace jaxsci

#endif  // JAXSCI_NATIVE_LAPACK_H_
