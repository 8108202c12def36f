#pragma once
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "npq/train/checkpoints/checkpoint.h"
#include "npq/train/network.h"
#include "tests/support/temporary_folder.h"

// Runs to evaluate, made without training: fresh parameters are as good as any.
namespace npq::test {

inline train::TrainOptions small_options(const std::string& algorithm, std::uint64_t seed = 1) {
  train::TrainOptions options;
  options.algorithm = algorithm;
  options.model.hidden = 8;
  options.seed = seed;
  return options;
}

inline void store_model(const std::filesystem::path& path, const train::TrainOptions& options,
                        int step = 0, std::uint64_t parameters_seed = 1) {
  auto drawn = options;
  drawn.seed = parameters_seed;
  const train::Network network(drawn);
  train::save_tensors(path, train::tensors_of(network.store),
                      {{"config", train::to_json(options).dump()}, {"step", std::to_string(step)}});
}

/// A run folder with config.json, and best and last of different parameters if asked for.
inline void store_run(const std::filesystem::path& folder, const train::TrainOptions& options,
                      bool best = true, bool last = true) {
  std::filesystem::create_directories(folder);
  test::put_file(folder / "config.json", train::to_json(options).dump(2));
  if (best) store_model(folder / "best.safetensors", options, 500, 1);
  if (last) store_model(folder / "last.safetensors", options, 999, 2);
}

}  // namespace npq::test
