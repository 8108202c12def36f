#include "npq/train/checkpoints/initial_weights.h"

#include <ATen/core/grad_mode.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>

#include "npq/base/error.h"
#include "npq/base/files/run_folder.h"
#include "npq/train/checkpoints/checkpoint.h"

namespace npq::train {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNamed = 3;

fs::path weights_file(const std::string& run_or_file) {
  std::error_code ignored;
  if (!fs::is_directory(run_or_file, ignored)) return run_or_file;
  const auto paths = find_run(run_or_file);
  if (fs::exists(paths.best(), ignored)) return paths.best();
  throw Error("run '{}' has no best.safetensors yet: it is written with the first evaluation",
              run_or_file);
}

std::string shape_text(const at::Tensor& tensor) {
  return fmt::format("[{}]", fmt::join(tensor.sizes(), ", "));
}

/// What a checkpoint or a state holds beside weights is not taken over: the optimiser's state and
/// the mean.
bool is_weight(const std::string& name) {
  return !name.starts_with("adam/") && !name.starts_with("average/");
}

std::vector<std::string> misfits(const InitialWeights& weights, const WeightPlaces& places) {
  std::vector<std::string> list;
  std::set<std::string> wanted;
  for (const auto& [name, place] : places) {
    wanted.insert(name);
    const auto found = weights.tensors.find(name);
    if (found == weights.tensors.end()) {
      list.push_back(fmt::format("'{}' is missing (here {})", name, shape_text(place)));
    } else if (found->second.sizes() != place.sizes() ||
               found->second.scalar_type() != place.scalar_type()) {
      list.push_back(fmt::format("'{}' is {} there and {} here", name, shape_text(found->second),
                                 shape_text(place)));
    }
  }
  for (const auto& [name, tensor] : weights.tensors)
    if (is_weight(name) && !wanted.contains(name))
      list.push_back(fmt::format("'{}' {} is of no use here", name, shape_text(tensor)));
  return list;
}

}  // namespace

InitialWeights read_initial_weights(const std::string& run_or_file, const std::string& checksum) {
  const auto file = weights_file(run_or_file);
  auto loaded = load_tensors(file);
  InitialWeights weights{.checksum = loaded.metadata.at("sha256"),
                         .tensors = std::move(loaded.tensors)};
  if (!checksum.empty() && checksum != weights.checksum)
    throw Error(
        "'{}' does not hold the weights any more that the run began with (its checksum is {}..., "
        "not {}...); put those back or start a new run",
        file.string(), weights.checksum.substr(0, 12), checksum.substr(0, 12));
  return weights;
}

void take_weights(const InitialWeights& weights, const std::string& source,
                  const WeightPlaces& places) {
  auto list = misfits(weights, places);
  if (!list.empty()) {
    const auto more =
        list.size() > kNamed ? fmt::format("; and {} more", list.size() - kNamed) : "";
    list.resize(std::min(list.size(), kNamed));
    throw Error(
        "the weights of '{}' do not fit this network: {}{}; they need the options that they were "
        "trained with (algorithm, processor, memory, sizes)",
        source, fmt::join(list, "; "), more);
  }
  const at::NoGradGuard no_grad;
  for (const auto& [name, place] : places) place.detach().copy_(weights.tensors.at(name));
}

}  // namespace npq::train
