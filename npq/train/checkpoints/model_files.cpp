#include "npq/train/checkpoints/model_files.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/files/run_files.h"
#include "npq/base/files/run_kind.h"
#include "npq/base/names.h"

namespace npq::train {
namespace {

namespace fs = std::filesystem;

/// Why the model is not there, and what to do.
std::string reason(const RunPaths& paths, Which which) {
  const auto folder = paths.folder.string();
  const auto config = read_config(paths);
  const auto resume =
      fmt::format("npq {} --resume {}", run_kind(text_at(config, "algorithm")).command, folder);
  if (which == Which::Last)
    return fmt::format(
        "last.safetensors yet: it is written when training ends; finish it with {}, or take "
        "--which best",
        resume);
  if (which == Which::Average && !config.contains("average"))
    return "average.safetensors: it was trained without a mean of its weights (--average); take "
           "--which last";
  if (which == Which::Average)
    return fmt::format(
        "average.safetensors yet: it is written when training ends; finish it with {}, or take "
        "--which best",
        resume);
  return fmt::format(
      "best.safetensors yet: it is written with the first evaluation; train it with {}", resume);
}

}  // namespace

Which find_one(std::string_view name) {
  const auto* found = std::ranges::find(kModels, name);
  if (found == std::end(kModels)) throw unknown_name("model", name, kModels);
  return static_cast<Which>(found - kModels);
}

Which find_which(std::string_view name) {
  static constexpr std::string_view known[] = {"best", "last", "average", "all"};
  if (name == "all") return Which::All;
  if (std::ranges::find(known, name) == std::end(known)) throw unknown_name("model", name, known);
  return find_one(name);
}

std::vector<ModelFile> find_model_files(const RunPaths& paths, Which which) {
  const std::filesystem::path files[] = {paths.best(), paths.last(), paths.average()};
  std::vector<ModelFile> found;
  std::error_code ignored;
  for (std::size_t k = 0; k < std::size(kModels); ++k) {
    const bool asked = which == Which::All || which == static_cast<Which>(k);
    if (asked && fs::exists(files[k], ignored))
      found.push_back({std::string(kModels[k]), files[k]});
  }
  if (found.empty()) throw Error("run '{}' has no {}", paths.folder.string(), reason(paths, which));
  return found;
}

}  // namespace npq::train
