// Queue trajectories of the paper's equations, written by an independent program: golden/memory.
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "npq/memory/factory.h"
#include "npq/memory/priority_queue.h"
#include "tests/memory/support.h"

namespace npq::test {
namespace {

using Q = PriorityQueueOptions;

/// What a case is, from its metadata.
MemoryOptions case_options(const SafetensorsFile& file) {
  const auto& meta = file.metadata();
  const auto flag = [&](const char* name) { return meta.at(name) == "True"; };
  MemoryOptions options = memory_options(meta.at("pop") == "max" ? "npq_m" : "npq_w");
  if (flag("persist")) options.queue.pop = Q::Pop::Keep;
  if (flag("single_value")) options.queue.reader = Q::Reader::Graph;
  options.slots = std::stoll(meta.at("capacity"));
  options.queue.heads = file.at("param/a1.b").shape[0];
  options.width = file.at("param/v.b").shape[0];
  return options;
}

struct Tolerance {
  double values, gradients, noise;  // noise: of a gradient that is 0
};

void check_case(const std::filesystem::path& path, at::ScalarType dtype, Tolerance tolerance) {
  SCOPED_TRACE(path.filename());
  const auto file = SafetensorsFile::open(path);
  const auto options = case_options(file);
  const auto z = golden_tensor(file, "z", dtype).set_requires_grad(true);
  const auto parameters = golden_parameters(file, "param/", dtype);
  const auto memory = make_memory(options, z.size(3), file.at("param/m.b").shape[0]);
  ASSERT_EQ(memory->parameter_specs().size(), parameters.size());

  const auto run =
      unroll(*memory, parameters, z,
             {.batch = z.size(1), .nodes = z.size(2), .steps = z.size(0), .dtype = dtype});
  const auto messages = at::stack(run.messages);
  EXPECT_LE(difference(messages, golden_tensor(file, "messages")), tolerance.values);
  for (std::size_t t = 0; t < run.states.size(); ++t) {
    const auto& state = run.states[t];
    const auto expected = [&](const char* name) {
      return golden_tensor(file, name).select(0, static_cast<std::int64_t>(t));
    };
    EXPECT_LE(difference(state.tensor("v"), expected("state/v")), tolerance.values) << "step " << t;
    EXPECT_EQ(difference(PriorityQueue::occupied(state), expected("state/used")), 0)
        << "step " << t;
    if (state.has("s")) {
      EXPECT_LE(difference(state.tensor("s"), expected("state/s")), tolerance.values)
          << "step " << t;
    }
  }

  (messages * golden_tensor(file, "cotangent", dtype)).sum().backward();
  const auto check_gradient = [&](const at::Tensor& leaf, const std::string& name) {
    const auto expected = golden_tensor(file, "grad/" + name);
    const double size = expected.abs().max().item<double>();
    const double error = (gradient(leaf).to(at::kDouble) - expected).abs().max().item<double>();
    // The bias of f_a cancels: its gradient is the noise of quotients here and of roundings there.
    EXPECT_LE(error, tolerance.gradients * size + tolerance.noise) << name;
  };
  check_gradient(z, "z");
  for (const auto& [name, leaf] : parameters) check_gradient(leaf, name.substr(7));
}

TEST(PaperGolden, EveryTrajectoryAgreesInFloat64) {
  const auto folder = golden_folder() / "memory" / "paper";
  if (!std::filesystem::is_directory(folder)) {
    std::printf("no folder memory/paper here: its cases are left out\n");
    return;
  }
  const auto files = golden_files(folder);
  std::printf("%zu queue trajectories\n", files.size());
  EXPECT_GT(files.size(), 0u);
  for (const auto& path : files) check_case(path, at::kDouble, {1e-12, 1e-6, 1e-9});
}

TEST(PaperGolden, EveryTrajectoryAgreesInFloat32) {
  const auto files = golden_files(own_golden_folder() / "memory" / "paper");
  EXPECT_GT(files.size(), 0u);
  // Seven steps of sums of a few dozen terms: some hundred roundings of 6e-8.
  for (const auto& path : files) check_case(path, at::kFloat, {5e-6, 1e-4, 2e-6});
}

}  // namespace
}  // namespace npq::test
