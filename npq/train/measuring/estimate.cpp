#include "npq/train/measuring/estimate.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/files/json_file.h"
#include "npq/base/files/run_folder.h"
#include "npq/base/resources.h"
#include "npq/clrs/dataset/dataset.h"
#include "npq/memory/catalog.h"
#include "npq/model/model.h"
#include "npq/train/task.h"

namespace npq::train {
namespace {

constexpr double kFloat = 4;
constexpr int kTrainLength = 16;  // of the official split
constexpr const char* kLess = "a smaller --hidden, --batch or --slots, smaller --train-sizes";

ops::ParameterSpecs specs_of(const TrainOptions& options) {
  return model::Model::parameters(Task(options).spec(), options.model, options.memory);
}

int largest_length(const TrainOptions& options) {
  return options.train_sizes.empty() ? kTrainLength : std::ranges::max(options.train_sizes);
}

/// The elements of one memory per graph, where their number was asked for.
double slot_bytes(const TrainOptions& options) {
  const auto& memory = options.memory;
  if (!memory.slots || !memory::has_slots(memory::find_row(memory.name).kind)) return 0;
  return kFloat * static_cast<double>(options.batch) * static_cast<double>(*memory.slots) *
         static_cast<double>(memory.width_for(options.model.hidden));
}

std::string words_of(const TrainOptions& options) {
  return fmt::format("training {} with --hidden {} and --batch {}", options.algorithm,
                     options.model.hidden, options.batch);
}

}  // namespace

double weight_bytes(const ops::ParameterSpecs& specs) {
  double bytes = 0;
  for (const auto& spec : specs) {
    double elements = 1;
    for (const auto size : spec.shape) elements *= static_cast<double>(size);
    bytes += kFloat * elements;
  }
  return bytes;
}

double least_training_bytes(const TrainOptions& options) {
  const auto& algorithm = clrs::find_algorithm(options.algorithm);
  const int length = largest_length(options);
  const double nodes = algorithm.nodes(length);
  const double steps =
      clrs::least_steps(algorithm, length) * static_cast<double>(options.model.message_steps);
  const double kept = kKeptPerNode * kFloat * static_cast<double>(options.batch) * nodes * steps *
                      static_cast<double>(options.model.hidden);
  const double copies = options.average > 0 ? 5 : 4;
  return copies * weight_bytes(specs_of(options)) + slot_bytes(options) + kept +
         clrs::least_bytes(algorithm, {.length = length, .samples = options.batch});
}

void check_training_fits(const TrainOptions& options) {
  options.validate();
  check_memory(least_training_bytes(options), words_of(options), kLess);
}

void check_training_fits(const TrainOptions& options, const std::string& folder) {
  check_training_fits(options);
  check_disk(kFolderOfWeights * weight_bytes(specs_of(options)), folder, words_of(options),
             "a smaller --hidden");
}

void check_resumed_training_fits(const std::filesystem::path& run) {
  const auto path = find_run(run).config();
  const auto config = read_object(path);
  if (text_at(config, "algorithm") == "peptides") return;  // resuming says which command does it
  const auto options = train_options(config, path.string());
  check_memory(least_training_bytes(options), words_of(options),
               fmt::format("a new run with {}", kLess));
}

void check_file_holds(const std::filesystem::path& file, const TrainOptions& options) {
  const auto there = static_cast<double>(std::filesystem::file_size(file));
  const auto needed = weight_bytes(specs_of(options));
  // Smaller differences are found weight by weight, and named.
  if (needed <= 2 * there) return;
  throw Error(
      "'{}' has {}, but the network that it says it holds has {} of weights; it is damaged, use "
      "another copy",
      file.string(), bytes_text(there), bytes_text(needed));
}

}  // namespace npq::train
