// The queue inside the golden networks, alone: each step's z is put together from the stored
// predictions and hidden states, so a difference here is the queue's and no other part's. All runs
// of a file: the paper's equations, the authors' code as published (ref_jit) and with the state
// carried (ref_unrolled).
#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "npq/memory/factory.h"
#include "npq/memory/priority_queue.h"
#include "tests/memory/support.h"

namespace npq::test {
namespace {

using Q = PriorityQueueOptions;
using nlohmann::ordered_json;

MemoryOptions case_options(const ordered_json& hyper, const ordered_json& run) {
  std::string name = hyper.at("pop") == "max" ? "npq_m" : "npq_w";
  if (hyper.at("persist")) name += "_p";
  if (hyper.at("single_value")) name += "_sv";
  if (hyper.at("send_to_all")) name += "_sa";
  const bool reference = run.at("semantics") == "reference";
  auto options = memory_options(name, reference ? Preset::Reference : Preset::Paper);
  options.carry = run.at("carry") == "first_step" ? Carry::FirstStep : Carry::All;
  options.slots = hyper.at("size");
  options.queue.heads = hyper.at("queue_heads");
  options.width = hyper.at("element_width");
  if (hyper.at("reference_class") == "priority_queue_v2")
    options.queue.pop_strength = Q::PopStrength::SoftmaxSum;
  return options;
}

/// The sum of the encoded node inputs and node hints at step k.
at::Tensor node_features(const SafetensorsFile& file, const ordered_json& spec,
                         const std::string& run, std::int64_t k) {
  at::Tensor sum;
  for (const auto& [name, words] : spec.items()) {
    if (words[0] == "output" || words[1] != "node" || words[2] == "pointer") continue;
    at::Tensor x;
    if (words[0] == "input") {
      x = golden_tensor(file, "input/" + name);
    } else if (k == 0) {
      x = golden_tensor(file, "hint/" + name)[0];
    } else {
      x = golden_tensor(file, run + "pred/hint/" + name)[k - 1];
      if (words[2] == "mask") x = x.sigmoid();
      if (words[2] == "mask_one") x = x.softmax(-1);
    }
    const auto encoded = x.unsqueeze(-1) * golden_tensor(file, "params/encoder/" + name + ".0.w") +
                         golden_tensor(file, "params/encoder/" + name + ".0.b");
    sum = sum.defined() ? sum + encoded : encoded;
  }
  return sum;
}

void check_run(const SafetensorsFile& file, const std::string& run, const ordered_json& hyper,
               const ordered_json& about) {
  SCOPED_TRACE(run);
  const auto options = case_options(hyper, about);
  const auto spec = ordered_json::parse(file.metadata().at("spec"));
  const auto hidden = golden_tensor(file, run + "hidden");  // [K, B, N, H]
  const std::int64_t steps = hidden.size(0);
  std::vector<at::Tensor> z;
  for (std::int64_t k = 0; k < steps; ++k) {
    const auto before = k == 0 ? at::zeros_like(hidden[0]) : hidden[k - 1];
    z.push_back(at::cat({node_features(file, spec, run, k), before}, -1));
  }
  const auto memory = make_memory(options, z[0].size(2), hidden.size(3));
  const auto parameters = golden_parameters(file, "params/memory/", at::kDouble);
  const auto got = unroll(
      *memory, parameters, at::stack(z),
      {.batch = hidden.size(1), .nodes = hidden.size(2), .steps = steps, .dtype = at::kDouble},
      options.carry);

  EXPECT_LE(difference(at::stack(got.messages), golden_tensor(file, run + "queue/message")), 1e-11);
  for (std::int64_t k = 0; k < steps; ++k) {
    const auto& state = got.states[static_cast<std::size_t>(k)];
    if (state.has("s")) {
      EXPECT_LE(difference(state.tensor("s"), golden_tensor(file, run + "queue/strength")[k]),
                1e-11)
          << "step " << k;
    }
    if (file.find(run + "queue/used")) {
      EXPECT_EQ(
          difference(PriorityQueue::occupied(state), golden_tensor(file, run + "queue/used")[k]), 0)
          << "step " << k;
    }
  }
  EXPECT_LE(
      difference(got.states.back().tensor("v"), golden_tensor(file, run + "queue/value_last")),
      1e-11);
}

TEST(NetworkGolden, TheQueueOfEveryNetworkRunAgreesStepByStep) {
  const auto folder = golden_folder() / "model";
  if (!std::filesystem::is_directory(folder)) {
    std::printf("no folder model here: its cases are left out\n");
    return;
  }
  int runs = 0;
  for (const auto& path : golden_files(folder)) {
    const auto file = SafetensorsFile::open(path);
    const auto hyper = ordered_json::parse(file.metadata().at("hyper"));
    if (!file.metadata().contains("runs")) continue;
    const auto all_runs = ordered_json::parse(file.metadata().at("runs"));
    SCOPED_TRACE(path.filename());
    for (const auto& [run, about] : all_runs.items()) {
      if (!file.find(run + "queue/message")) continue;
      check_run(file, run, hyper, about);
      ++runs;
    }
  }
  std::printf("%d queue runs\n", runs);
  EXPECT_GT(runs, 0);
}

}  // namespace
}  // namespace npq::test
