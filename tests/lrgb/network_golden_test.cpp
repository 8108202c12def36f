// Every golden peptide network: layers, predictions, loss, gradients, running statistics, queues.
#include <ATen/TensorOperators.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "npq/lrgb/model.h"
#include "npq/memory/priority_queue.h"
#include "tests/lrgb/golden_case.h"
#include "tests/support/torch_golden.h"

namespace npq::test {
namespace {

using Results = std::map<std::string, at::Tensor>;

/// The state in the order of the graphs, not of the shelf that they stand on.
memory::MemoryState state_of(const lrgb::LayerTrace& layer, const lrgb::Graphs& batch) {
  EXPECT_EQ(batch.shelves.size(), 1u);
  const auto& members = batch.shelves.front().members;
  return layer.memory.front().next_state.select(at::tensor(members, at::kLong).argsort());
}

void add_layers(Results& results, const lrgb::Prediction& prediction, const lrgb::Graphs& batch,
                bool memory) {
  for (std::size_t i = 0; i < prediction.layers.size(); ++i) {
    const auto k = "/" + std::to_string(i + 1);
    const auto& layer = prediction.layers[i];
    results["node" + k] = layer.x;
    if (!memory) continue;
    const auto state = state_of(layer, batch);
    results["queue/z" + k] = layer.z;
    results["queue/read" + k] = layer.read;
    results["queue/message" + k] = layer.message;
    results["state/v" + k] = state.tensor("v");
    results["state/used" + k] = memory::PriorityQueue::occupied(state);
    results["state/s" + k] = state.has("s") ? state.tensor("s") : results["state/used" + k] * 0.0;
  }
}

/// Everything that the README lists, under its names.
Results everything(const PeptideCase& golden, at::ScalarType dtype) {
  const auto store = golden.parameters(dtype);
  const lrgb::Model model(golden.options, store);
  const auto batch = golden.batch();
  const auto prediction = model.run(batch, model.initial_statistics(dtype), {.keep = true});
  const auto loss = lrgb::l1_loss(prediction.targets, golden.tensor("graph/target").to(dtype));
  loss.backward();
  Results results{{"node/0", prediction.encoded},
                  {"node/final", prediction.last},
                  {"pooled", prediction.pooled},
                  {"pred", prediction.targets},
                  {"loss", loss.reshape({1})}};
  add_layers(results, prediction, batch, golden.options.has_memory());
  for (const auto& info : golden.file.tensors())
    if (info.name.starts_with("grad/"))
      results[info.name] = store.grad(own_name(info.name.substr(5)));
  for (std::size_t i = 0; i < prediction.statistics.size(); ++i) {
    results["running/mean/" + std::to_string(i)] = prediction.statistics[i].mean;
    results["running/var/" + std::to_string(i)] = prediction.statistics[i].variance;
  }
  results["eval/pred"] =
      model.run(batch, prediction.statistics, {.mode = lrgb::Mode::Evaluate}).targets;
  return results;
}

double largest_gradient(const PeptideCase& golden) {
  double largest = 0;
  for (const auto& info : golden.file.tensors())
    if (info.name.starts_with("grad/"))
      largest = std::max(largest, golden.tensor(info.name).abs().max().item<double>());
  return largest;
}

/// Compares all results of a case; returns how many there were. What the file holds and the network
/// does not compute is a failure, and so is a parameter that one side lacks.
int compare(const PeptideCase& golden, at::ScalarType dtype, double values, double gradients) {
  const auto results = everything(golden, dtype);
  const double steepest = largest_gradient(golden);
  int compared = 0;
  for (const auto& info : golden.file.tensors()) {
    if (info.name.starts_with("param/") || info.name.starts_with("graph/")) continue;
    const auto found = results.find(info.name);
    if (found == results.end()) {
      ADD_FAILURE() << "'" << info.name << "' is not computed";
      continue;
    }
    ++compared;
    const auto wanted = golden.tensor(info.name), got = found->second.detach().to(at::kDouble);
    if (got.sizes() != wanted.sizes()) {
      ADD_FAILURE() << "'" << info.name << "' has another shape";
      continue;
    }
    const bool gradient = info.name.starts_with("grad/");
    const auto allowed =
        gradient ? wanted * 0 + gradients * steepest : wanted.abs().clamp_min(1) * values;
    EXPECT_LE(((got - wanted).abs() / allowed).max().item<double>(), 1) << info.name;
  }
  return compared;
}

TEST(PeptideNetworkGolden, EveryCaseAgreesLayerByLayerAndGradientByGradient) {
  int cases = 0, results = 0;
  for (const auto& path : golden_files(golden_folder() / "lrgb")) {
    SCOPED_TRACE(path.filename());
    const PeptideCase golden(path);
    const auto specs = lrgb::Model::parameters(golden.options);
    EXPECT_EQ(specs.size(), golden.parameters(at::kDouble).size());
    results += compare(golden, at::kDouble, 1e-10, 1e-9);  // the README's tolerances
    ++cases;
  }
  std::printf("%d peptide networks, %d results\n", cases, results);
  EXPECT_GT(cases, 0);
}

TEST(PeptideNetworkGolden, SinglePrecisionStaysWithinItsTolerances) {
  for (const auto& path : golden_files(golden_folder() / "lrgb")) {
    SCOPED_TRACE(path.filename());
    compare(PeptideCase(path), at::kFloat, 1e-4, 2e-4);  // the README's tolerances
  }
}

}  // namespace
}  // namespace npq::test
