#include "npq/train/checkpoints/stored_model.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/files/run_files.h"
#include "npq/base/files/run_kind.h"
#include "npq/base/formats/json_value.h"
#include "npq/base/formats/safetensors.h"
#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/checkpoints/state_fields.h"
#include "npq/train/measuring/estimate.h"

namespace npq::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void refuse_peptides(const json& config, const fs::path& run) {
  if (text_at(config, "algorithm") != kPeptides) return;
  throw Error(
      "'{}' was trained on peptides, and this command is about algorithms; npq peptides evaluate "
      "tests it, npq report shows it",
      run.string());
}

struct Stated {
  json config;
  std::int64_t step;
};

/// What a checkpoint says about itself in its metadata.
Stated stated(const fs::path& path) {
  const auto file = SafetensorsFile::open(path);
  auto config = stated_config(file.metadata(), path, "checkpoint");
  refuse_peptides(config, path);
  return {std::move(config), number_of<std::int64_t>(file.metadata(), "step", path)};
}

/// A run and its checkpoints were written from the same options; only what a resumed run may change
/// may have been changed since. The preset is in the options that it chose, and older runs do not
/// name it.
void check_same_model(const json& run, const json& checkpoint, const fs::path& file) {
  const auto changeable = train_option_table().changeable();
  for (const auto& [key, value] : checkpoint.items()) {
    if (std::ranges::count(changeable, key) > 0 || key == "preset" ||
        (run.contains(key) && run.at(key) == value))
      continue;
    throw Error(
        "'{}' was trained with {} {}, but config.json beside it says {}; it belongs to another run",
        file.string(), key, json_shown(value),
        run.contains(key) ? json_shown(run.at(key)) : "nothing");
  }
}

StoredModel model_of_run(const json& config, const fs::path& file, const std::string& name) {
  const auto [own, step] = stated(file);
  check_same_model(config, own, file);
  return {.name = name, .file = file, .step = step, .options = train_options(own, file.string())};
}

}  // namespace

std::vector<StoredModel> find_models(const fs::path& run, Which which) {
  std::error_code ignored;
  if (fs::is_regular_file(run, ignored)) {
    const auto [config, step] = stated(run);
    return {{.name = run.filename().string(),
             .file = run,
             .step = step,
             .options = train_options(config, run.string())}};
  }
  const auto paths = find_run(run);
  const auto config = read_config(paths);
  refuse_peptides(config, run);
  train_options(config, paths.config().string());
  std::vector<StoredModel> models;
  for (const auto& file : find_model_files(paths, which))
    models.push_back(model_of_run(config, file.path, file.name));
  return models;
}

std::unique_ptr<Network> load_network(const StoredModel& model) {
  check_file_holds(model.file, model.options);
  auto network = std::make_unique<Network>(model.options);
  load_parameters(model.file, network->store);
  return network;
}

}  // namespace npq::train
