#include "npq/experiment/speeds.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "npq/base/files/json_file.h"

// The file itself, byte for byte, between two symbols; the path comes from npq/CMakeLists.txt.
asm(".section .rodata\n.global npq_speeds_begin\n.global npq_speeds_end\nnpq_speeds_begin:\n"
    ".incbin \"" NPQ_SPEEDS_JSON "\"\nnpq_speeds_end:\n.byte 0\n.section .text\n");
extern "C" const char npq_speeds_begin[], npq_speeds_end[];

namespace npq::experiment {
namespace {

using nlohmann::json;

// Fewer updates say little: the first ones are slow.
constexpr std::int64_t kFewestUpdates = 20;
constexpr double kPeptidesWithMemory = 1.9;
constexpr double kPublishedBytes = 77e6;   // of the published molecules as peptides.safetensors
constexpr double kShortestUpdate = 0.003;  // seconds; data, many small tensors
constexpr double kUsualHidden = 128, kUsualBatch = 32;

const json& table() {
  static const auto parsed = parse_json({npq_speeds_begin, npq_speeds_end}, "speeds.json");
  return parsed;
}

double number_of(const Flags& flags, const std::string& name, double otherwise) {
  const auto found = flags.find(name);
  return found == flags.end() ? otherwise : std::strtod(found->second.c_str(), nullptr);
}

/// The run's molecules in proportion to the published ones; 1 while they are not there.
double share_of_published(const Flags& flags) {
  const auto data = flags.find("data");
  if (data == flags.end()) return 1;
  std::error_code missing;
  const auto bytes = std::filesystem::file_size(
      std::filesystem::path(data->second) / "peptides.safetensors", missing);
  return missing ? 1 : static_cast<double>(bytes) / kPublishedBytes;
}

}  // namespace

std::string stored_machine(const PlannedRun& run) {
  return text_at(table(), run.algorithm == kPeptides ? "peptides_machine" : "machine");
}

std::optional<double> stored_speed(const PlannedRun& run) {
  const auto memory = run.flags.find("memory");
  if (run.algorithm == kPeptides) {
    const auto epoch = number_at(table().at("peptides"), run.processor);
    const bool alone = memory == run.flags.end() || memory->second == "none";
    if (!epoch) return std::nullopt;
    return *epoch * (alone ? 1 : kPeptidesWithMemory) * share_of_published(run.flags);
  }
  const auto seconds = number_at(table().at("algorithms"), run.algorithm);
  const auto processor = number_at(table().at("processors"), run.processor);
  const auto factor =
      number_at(table().at("memories"), memory == run.flags.end() ? "none" : memory->second);
  if (!seconds || !processor || !factor) return std::nullopt;
  // Products of matrices take nearly all of the time: a square of the hidden size, for each sample.
  const double hidden = number_of(run.flags, "hidden", kUsualHidden) / kUsualHidden;
  const double batch = number_of(run.flags, "batch", kUsualBatch) / kUsualBatch;
  return std::max(kShortestUpdate, *seconds * *processor * *factor * hidden * hidden * batch);
}

Estimate estimate(const Plan& plan, const Places& places, const Measured& measured) {
  struct Seen {
    double seconds = 0;
    std::int64_t updates = 0;
  };
  std::map<std::string, Seen> seen;
  std::vector<std::pair<const PlannedRun*, Status>> open;
  Estimate all;
  for (const auto& run : plan.runs) {
    auto status = status_of(plan, run, places);
    if (status.step >= (run.kind().counts_steps() ? kFewestUpdates : 1) && status.seconds > 0) {
      seen[run.model()].seconds += status.seconds;
      seen[run.model()].updates += status.step;
    }
    if (status.state == State::Foreign)
      ++all.foreign;
    else if (status.state == State::Trained || status.state == State::Testing)
      ++all.trained;
    else if (!status.finished())
      open.emplace_back(&run, std::move(status));
  }
  for (const auto& [run, status] : open) {
    const auto updates = static_cast<double>(run->steps - status.step);
    const auto found = seen.find(run->model());
    std::optional<double> speed;
    if (found != seen.end())
      speed = found->second.seconds / static_cast<double>(found->second.updates);
    if (!speed && measured) speed = measured(*run);
    const bool here = speed.has_value();
    if (!speed) speed = stored_speed(*run);
    all.seconds += speed.value_or(0) * updates;
    ++(here ? all.measured : speed ? all.stored : all.unknown);
  }
  return all;
}

}  // namespace npq::experiment
