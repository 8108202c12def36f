#include "tests/support/torch_golden_memory.h"

#include <nlohmann/json.hpp>

#include "npq/memory/catalog.h"

namespace npq::test {
namespace {

using nlohmann::ordered_json;
using Q = memory::PriorityQueueOptions;

ordered_json metadata(const GoldenNetwork& golden, const char* key) {
  return ordered_json::parse(golden.file().metadata().at(key));
}

bool is_oracle(const GoldenNetwork& golden) { return golden.memory().starts_with("oracle"); }

/// Courses of training name only the memory; the others spell out its choices.
std::string row_name(const ordered_json& hyper) {
  if (!hyper.contains("pop")) return hyper.at("memory");
  std::string name = hyper.at("pop") == "max" ? "npq_m" : "npq_w";
  if (hyper.at("persist")) name += "_p";
  if (hyper.at("single_value")) name += "_sv";
  if (hyper.at("send_to_all")) name += "_sa";
  return name;
}

}  // namespace

std::vector<std::string> golden_runs(const GoldenNetwork& golden) {
  std::vector<std::string> runs;
  const auto all = metadata(golden, "runs");
  for (const auto& [name, about] : all.items()) runs.push_back(name);
  return runs;
}

memory::MemoryOptions golden_memory(const GoldenNetwork& golden, const std::string& run) {
  const auto hyper = metadata(golden, "hyper");
  const auto about = metadata(golden, "runs").at(run);
  if (is_oracle(golden)) {
    auto options = memory::memory_options("oracle");
    options.width = hyper.at("element_width");
    options.carry =
        about.at("carry") == "first_step" ? memory::Carry::FirstStep : memory::Carry::All;
    return options;
  }
  const bool reference = about.at("semantics") == "reference";
  auto options = memory::memory_options(
      row_name(hyper), reference ? memory::Preset::Reference : memory::Preset::Paper);
  options.carry = about.value("carry", std::string("all")) == "first_step"
                      ? memory::Carry::FirstStep
                      : memory::Carry::All;
  options.slots = hyper.at("size");
  options.queue.heads = hyper.at("queue_heads");
  options.width = hyper.value("element_width", std::int64_t{0});
  if (hyper.value("reference_class", std::string()) == "priority_queue_v2")
    options.queue.pop_strength = Q::PopStrength::SoftmaxSum;
  return options;
}

clrs::Spec encoded_spec(const GoldenNetwork& golden) {
  clrs::Spec spec;
  for (const auto& probe : golden.spec())
    if (probe.name != "us" && probe.name != "us_pi") spec.push_back(probe);
  return spec;
}

model::TensorBatch golden_memory_batch(const GoldenNetwork& golden, const std::string& run,
                                       at::ScalarType dtype) {
  auto batch = golden.batch(dtype);
  if (is_oracle(golden))
    // The published code pads its schedule with zeros; ours says where it ends.
    batch.inputs["us_valid"] = golden.tensor(run == "paper/" ? "us_valid" : "input/us", dtype);
  return batch;
}

}  // namespace npq::test
