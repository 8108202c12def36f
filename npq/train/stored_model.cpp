#include "npq/train/stored_model.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/file_error.h"
#include "npq/base/names.h"
#include "npq/base/run_folder.h"
#include "npq/base/safetensors.h"
#include "npq/train/checkpoint.h"

namespace npq::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json config_of_run(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw file_error("read", path, errno);
  auto config = json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!config.is_object())
    throw Error("'{}' is no JSON object; the run folder is damaged", path.string());
  return config;
}

void refuse_peptides(const json& config, const fs::path& run) {
  if (config.value("algorithm", json()) != "peptides") return;
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
  const auto text = [&](const char* key) {
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  auto config = json::parse(text("config"), nullptr, /*allow_exceptions=*/false);
  const auto step = json::parse(text("step"), nullptr, /*allow_exceptions=*/false);
  if (config.is_object()) refuse_peptides(config, path);
  if (!config.is_object() || !step.is_number_integer())
    throw Error("'{}' does not say which model it belongs to; it is no checkpoint of this program",
                path.string());
  return {std::move(config), step.get<std::int64_t>()};
}

/// A run and its checkpoints were written from the same options; only what a resumed run may change
/// may have been changed since. The preset is in the options that it chose, and older runs do not
/// name it.
void check_same_model(const json& run, const json& checkpoint, const fs::path& file) {
  for (const auto& [key, value] : checkpoint.items()) {
    if (std::ranges::count(kChangeable, key) > 0 || key == "preset" ||
        (run.contains(key) && run.at(key) == value))
      continue;
    throw Error(
        "'{}' was trained with {} {}, but config.json beside it says {}; it belongs to another run",
        file.string(), key, value.dump(), run.contains(key) ? run.at(key).dump() : "nothing");
  }
}

StoredModel model_of_run(const json& config, const fs::path& file, const char* name) {
  const auto [own, step] = stated(file);
  check_same_model(config, own, file);
  return {.name = name, .file = file, .step = step, .options = train_options(own, file.string())};
}

}  // namespace

Which find_which(std::string_view name) {
  if (name == "best") return Which::Best;
  if (name == "last") return Which::Last;
  if (name == "both") return Which::Both;
  static constexpr std::string_view known[] = {"best", "last", "both"};
  throw unknown_name("checkpoint", name, known);
}

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
  const auto config = config_of_run(paths.config());
  refuse_peptides(config, run);
  train_options(config, paths.config().string());
  std::vector<StoredModel> models;
  if (which != Which::Last && fs::exists(paths.best(), ignored))
    models.push_back(model_of_run(config, paths.best(), "best"));
  if (which != Which::Best && fs::exists(paths.last(), ignored))
    models.push_back(model_of_run(config, paths.last(), "last"));
  if (!models.empty()) return models;
  if (which == Which::Last)
    throw Error(
        "run '{}' has no last.safetensors yet: it is written when training ends; finish it with "
        "npq train --resume {}, or take --which best",
        run.string(), run.string());
  throw Error(
      "run '{}' has no best.safetensors yet: it is written with the first evaluation; train it "
      "with npq train --resume {}",
      run.string(), run.string());
}

std::unique_ptr<Network> load_network(const StoredModel& model) {
  auto network = std::make_unique<Network>(model.options);
  load_parameters(model.file, network->store);
  return network;
}

}  // namespace npq::train
