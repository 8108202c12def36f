#pragma once
#include <cstdint>

// The products of triplet messages: matrices multiplied with maximum for sum and sum for product.
namespace npq::kernels {

struct MaxPlusShape {
  int batch = 0, nodes = 0, features = 0;  // B, N, F
};

inline constexpr int kMostMaxPlusNodes = 65535;

///   out[b,j,k,f] = max over i of left[b,i,j,f] + right[b,i,k,f]
///   arg[b,j,k,f] = the lowest i that reaches it
/// left, right and out are [B, N, N, F], contiguous, without overlap. NaN wins every maximum.
/// Nothing of size N * N * N is stored. The same bits for any number of threads, and at every
/// level.
void max_plus_forward(const MaxPlusShape& shape, const float* left, const float* right, float* out,
                      std::uint16_t* arg, int threads);
/// Overwrites dleft and dright [B, N, N, F]; null: not wanted.
void max_plus_backward(const MaxPlusShape& shape, const std::uint16_t* arg, const float* dout,
                       float* dleft, float* dright, int threads);

template <class Number>
void max_plus_forward_reference(const MaxPlusShape& shape, const Number* left, const Number* right,
                                Number* out, std::uint16_t* arg);
template <class Number>
void max_plus_backward_reference(const MaxPlusShape& shape, const std::uint16_t* arg,
                                 const Number* dout, Number* dleft, Number* dright);

// Between the entry and the loops of one level. Plain data only: what an inline function that stood
// here would be compiled to depends on the file.

/// One feature of one graph. P is N rounded up to the loops' width.
struct MaxPlusTile {
  int nodes, padded;
  const float* left;   // [N, N]
  const float* right;  // [N, P]
  float* out;          // [4, P]: rows j .. j + 3 of the product
  std::int32_t* arg;   // [4, P]
};

struct MaxPlusLoops {
  int width;
  /// Rows j .. j + count, count at most 4.
  void (*rows)(const MaxPlusTile& tile, int j, int count);
};

extern const MaxPlusLoops kMaxPlusAvx2, kMaxPlusAvx512;

/// The entry with the loops at hand; tests hand in others.
void max_plus_forward_with(const MaxPlusLoops& loops, const MaxPlusShape& shape, const float* left,
                           const float* right, float* out, std::uint16_t* arg, int threads);

}  // namespace npq::kernels
