// Between XLA's element types and those of NumPy's inner loops, a block at a time.
#ifndef JAXSCI_CONVERT_H_
#define JAXSCI_CONVERT_H_

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "xla/ffi/api/ffi.h"

namespace jaxsci {

using xla::ffi::DataType;

// A binary floating-point format of 16 bits: one sign bit, then exponent, then fraction.
template <int kExponentBits, int kFractionBits>
struct Small {
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr int kTop = (1 << kExponentBits) - 1;
  uint16_t bits;

  explicit operator double() const {
    const int exponent = (bits >> kFractionBits) & kTop;
    const int fraction = bits & ((1 << kFractionBits) - 1);
    double magnitude;
    if (exponent == kTop) {
      magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                           : std::numeric_limits<double>::infinity();
    } else if (exponent == 0) {
      magnitude = std::ldexp(fraction, 1 - kBias - kFractionBits);
    } else {
      magnitude = std::ldexp(fraction + (1 << kFractionBits), exponent - kBias - kFractionBits);
    }
    return std::copysign(magnitude, bits >> 15 ? -1.0 : 1.0);
  }

  // Rounds once, to nearest and ties to even, subnormals included.
  static Small Round(double x) {
    const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    if (std::isnan(x)) {
      return {static_cast<uint16_t>(sign | (kTop << kFractionBits) | (1 << (kFractionBits - 1)))};
    }
    const double magnitude = std::fabs(x);
    if (magnitude == 0) return {sign};
    int exponent = std::isinf(x) ? kTop : std::ilogb(magnitude);
    if (exponent < 1 - kBias) exponent = 1 - kBias;
    if (exponent > kBias) return {static_cast<uint16_t>(sign | (kTop << kFractionBits))};
    // In units of the last place the rounded number is an integer; a carry moves the exponent.
    const auto units =
        static_cast<int>(std::nearbyint(std::ldexp(magnitude, kFractionBits - exponent)));
    const int biased = exponent + kBias - 1;
    return {static_cast<uint16_t>(sign | ((biased << kFractionBits) + units))};
  }
};

using Half = Small<5, 10>;
using BFloat = Small<8, 7>;

template <typename To, typename From>
To Cast(From x) {
  return static_cast<To>(x);
}
template <>
inline Half Cast<Half, double>(double x) {
  return Half::Round(x);
}
template <>
inline BFloat Cast<BFloat, double>(double x) {
  return BFloat::Round(x);
}

// Strides are in bytes.
using Converter = void (*)(const char* from, ptrdiff_t from_stride, char* to, ptrdiff_t to_stride,
                           ptrdiff_t n);

template <typename From, typename To>
void Convert(const char* from, ptrdiff_t from_stride, char* to, ptrdiff_t to_stride, ptrdiff_t n) {
  if (from_stride == sizeof(From) && to_stride == sizeof(To)) {  // compilers make this a short loop
    const auto* x = reinterpret_cast<const From*>(from);
    auto* y = reinterpret_cast<To*>(to);
    for (ptrdiff_t i = 0; i < n; ++i) y[i] = Cast<To>(x[i]);
    return;
  }
  for (ptrdiff_t i = 0; i < n; ++i, from += from_stride, to += to_stride) {
    From x;
    std::memcpy(&x, from, sizeof x);
    const To y = Cast<To>(x);
    std::memcpy(to, &y, sizeof y);
  }
}

// The type that an inner loop has for a NumPy type code, as XLA's.
inline DataType LoopType(char code) {
  switch (code) {
    case '?': return DataType::PRED;
    case 'b': return DataType::S8;
    case 'B': return DataType::U8;
    case 'h': return DataType::S16;
    case 'H': return DataType::U16;
    case 'i': return DataType::S32;
    case 'I': return DataType::U32;
    case 'l': return sizeof(long) == 8 ? DataType::S64 : DataType::S32;
    case 'L': return sizeof(long) == 8 ? DataType::U64 : DataType::U32;
    case 'q': return DataType::S64;
    case 'Q': return DataType::U64;
    case 'f': return DataType::F32;
    case 'd': return DataType::F64;
    case 'F': return DataType::C64;
    case 'D': return DataType::C128;
    default: return DataType::INVALID;
  }
}

inline size_t SizeOf(DataType type) { return xla::ffi::ByteWidth(type); }

// From an argument to a loop, or nullptr where there is no such conversion.
inline Converter ToLoop(DataType from, DataType loop) {
  using C64 = std::complex<float>;
  using C128 = std::complex<double>;
  switch (loop) {
    case DataType::F64:
      switch (from) {
        case DataType::F32: return Convert<float, double>;
        case DataType::F16: return Convert<Half, double>;
        case DataType::BF16: return Convert<BFloat, double>;
        case DataType::S32: return Convert<int32_t, double>;
        case DataType::S64: return Convert<int64_t, double>;
        default: return nullptr;
      }
    case DataType::C128:
      switch (from) {
        case DataType::C64: return Convert<C64, C128>;
        case DataType::F64: return Convert<double, C128>;
        case DataType::F32: return Convert<float, C128>;
        case DataType::S32: return Convert<int32_t, C128>;
        case DataType::S64: return Convert<int64_t, C128>;
        default: return nullptr;
      }
    case DataType::S64:
      return from == DataType::S32 ? Convert<int32_t, int64_t> : nullptr;
    default:
      return nullptr;
  }
}

// From a loop to a result, rounding once.
inline Converter FromLoop(DataType loop, DataType to) {
  using C64 = std::complex<float>;
  using C128 = std::complex<double>;
  if (loop == DataType::F64) {
    switch (to) {
      case DataType::F32: return Convert<double, float>;
      case DataType::F16: return Convert<double, Half>;
      case DataType::BF16: return Convert<double, BFloat>;
      default: return nullptr;
    }
  }
  if (loop == DataType::C128 && to == DataType::C64) return Convert<C128, C64>;
  if (loop == DataType::S64 && to == DataType::S32) return Convert<int64_t, int32_t>;
  return nullptr;
}

}  // namespace jaxsci

#endif  // JAXSCI_CONVERT_H_
