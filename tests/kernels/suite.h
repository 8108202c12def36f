#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/kernels/numbers.h"

// What is checked of every kernel but the messages', which have their own suite.
namespace npq::test {

template <class Number>
using Arrays = std::vector<Guarded<Number>>;

/// One way of calling a kernel, as functions of lists of arrays. `Number` is double for the
/// reference's gradients, float for everything else.
template <class Number>
struct Calls {
  std::string name;
  std::function<void(const Arrays<Number>& in, Arrays<Number>& out, int threads)> forward;
  /// Called after forward, with what it left in `out`.
  std::function<void(const Arrays<Number>& in, const Arrays<Number>& out,
                     const Arrays<Number>& dout, Arrays<Number>& gradients, int threads)>
      backward;
};

/// A kernel at one size with one choice of its options.
struct KernelCase {
  std::string name;
  std::vector<std::size_t> inputs, outputs;  // numbers in each
  std::vector<std::string> input_names;
  Calls<float> reference;
  Calls<double> reference_in_double;
  std::vector<Calls<float>> levels;
  /// Fills inputs with what makes sense; by default whole numbers (exact at every level) or normal
  /// ones.
  std::function<void(Arrays<double>& in, std::mt19937& random)> prepare = {};
  bool exact = true;     // whole numbers in, no rounding on the way
  double tolerance = 0;  // else: relative distance to the reference, with its origin
  double slope_tolerance = 1e-6;
  std::vector<bool> differentiable = {};  // outputs that have a gradient; empty: all
};

/// Gradients of the reference are the slopes of its results, by differences in double.
void expect_slopes(const KernelCase& test, int seed);
/// Every level computes what the reference does, and touches nothing outside its arrays.
void expect_levels_agree(const KernelCase& test, int seed);
/// Every level gives the same bits with 1, 2 and 3 threads.
void expect_threads_agree(const KernelCase& test, int seed);

}  // namespace npq::test
