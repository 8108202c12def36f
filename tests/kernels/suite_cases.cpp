#include "tests/kernels/suite.h"

namespace npq::test {
namespace {

template <class Number, class Other>
Arrays<Number> converted(const Arrays<Other>& from) {
  Arrays<Number> to;
  for (const auto& array : from) to.push_back(Guarded<Number>::from(array));
  return to;
}

template <class Number>
Arrays<Number> zeros(const std::vector<std::size_t>& sizes, double value = 0) {
  Arrays<Number> arrays;
  for (const auto size : sizes) arrays.emplace_back(size, Number(value));
  return arrays;
}

Arrays<double> draw_inputs(const KernelCase& test, bool whole, std::mt19937& random) {
  Arrays<double> in;
  for (const auto size : test.inputs)
    in.push_back(whole ? Guarded<double>::whole(size, 2, random)
                       : Guarded<double>::normal(size, 1, random));
  if (test.prepare) test.prepare(in, random);
  return converted<double>(converted<float>(in));  // numbers that float32 has
}

Arrays<double> draw_weights(const KernelCase& test, bool whole, std::mt19937& random) {
  Arrays<double> weights;
  for (std::size_t k = 0; k < test.outputs.size(); ++k) {
    const bool flat = !test.differentiable.empty() && !test.differentiable[k];
    weights.push_back(whole ? Guarded<double>::whole(test.outputs[k], 2, random)
                            : Guarded<double>::normal(test.outputs[k], 1, random));
    if (flat) weights.back() = Guarded<double>(test.outputs[k]);
  }
  return converted<double>(converted<float>(weights));
}

double loss(const KernelCase& test, const Arrays<double>& in, const Arrays<double>& weights) {
  auto out = zeros<double>(test.outputs, 77);
  test.reference_in_double.forward(in, out, 1);
  double sum = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    for (std::size_t i = 0; i < out[k].size(); ++i) {
      if (weights[k][i] != 0) sum += weights[k][i] * out[k][i];
    }
  }
  return sum;
}

struct Run {
  Arrays<float> out, gradients;
};

Run run(const KernelCase& test, const Calls<float>& calls, const Arrays<float>& in,
        const Arrays<float>& dout, int threads) {
  Run run{zeros<float>(test.outputs, 77), zeros<float>(test.inputs, 77)};
  calls.forward(in, run.out, threads);
  calls.backward(in, run.out, dout, run.gradients, threads);
  return run;
}

}  // namespace

void expect_slopes(const KernelCase& test, int seed) {
  std::mt19937 random(seed);
  auto in = draw_inputs(test, false, random);
  const auto weights = draw_weights(test, false, random);
  auto out = zeros<double>(test.outputs, 77);
  auto gradients = zeros<double>(test.inputs, 77);
  test.reference_in_double.forward(in, out, 1);
  test.reference_in_double.backward(in, out, weights, gradients, 1);
  constexpr double kStep = 1e-6;
  for (std::size_t k = 0; k < in.size(); ++k) {
    for (std::size_t i = 0; i < in[k].size(); ++i) {
      const double kept = in[k][i];
      in[k][i] = kept + kStep;
      const double above = loss(test, in, weights);
      in[k][i] = kept - kStep;
      const double below = loss(test, in, weights);
      in[k][i] = kept;
      EXPECT_NEAR(gradients[k][i], (above - below) / (2 * kStep), test.slope_tolerance)
          << test.name << ": " << test.input_names[k] << "[" << i << "]";
    }
  }
}

void expect_levels_agree(const KernelCase& test, int seed) {
  std::mt19937 random(seed);
  const auto in = converted<float>(draw_inputs(test, test.exact, random));
  const auto dout = converted<float>(draw_weights(test, test.exact, random));
  const Run expected = run(test, test.reference, in, dout, 1);
  for (const auto& level : test.levels) {
    const Run found = run(test, level, in, dout, 1);
    const double tolerance = test.exact ? 0 : test.tolerance;
    for (std::size_t k = 0; k < found.out.size(); ++k) {
      EXPECT_LE(relative_distance(found.out[k], expected.out[k]), tolerance)
          << test.name << " at " << level.name << ": output " << k;
      EXPECT_TRUE(found.out[k].intact()) << test.name << " at " << level.name << ": output " << k;
    }
    for (std::size_t k = 0; k < found.gradients.size(); ++k) {
      EXPECT_LE(relative_distance(found.gradients[k], expected.gradients[k]), tolerance)
          << test.name << " at " << level.name << ": gradient of " << test.input_names[k];
      EXPECT_TRUE(found.gradients[k].intact())
          << test.name << " at " << level.name << ": gradient of " << test.input_names[k];
    }
  }
}

void expect_threads_agree(const KernelCase& test, int seed) {
  std::mt19937 random(seed);
  const auto in = converted<float>(draw_inputs(test, false, random));
  const auto dout = converted<float>(draw_weights(test, false, random));
  for (const auto& level : test.levels) {
    const Run one = run(test, level, in, dout, 1);
    for (const int threads : {2, 3}) {
      const Run more = run(test, level, in, dout, threads);
      for (std::size_t k = 0; k < one.out.size(); ++k)
        EXPECT_TRUE(more.out[k].same_bits(one.out[k])) << test.name << " at " << level.name;
      for (std::size_t k = 0; k < one.gradients.size(); ++k)
        EXPECT_TRUE(more.gradients[k].same_bits(one.gradients[k]))
            << test.name << " at " << level.name << ": gradient of " << test.input_names[k];
    }
  }
}

}  // namespace npq::test
