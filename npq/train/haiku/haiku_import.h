#pragma once
#include <filesystem>

#include "npq/train/haiku/haiku_names.h"
#include "npq/train/haiku/haiku_pickle.h"

namespace npq::train {

/// A checkpoint of the public benchmark under our names.
struct HaikuCheckpoint {
  struct Entry {
    std::string name;        // "processor/m1.w"
    FloatArray value, m, v;  // m and v are empty without Adam's state
  };
  TrainOptions options;
  std::vector<std::string> assumed;  // see HaikuGuess
  std::vector<Entry> parameters;     // all that the model has, in its order
  std::int64_t updates = 0;
  bool has_adam = false;
};

/// Reads a pickle that the benchmark's training script saved. Which network it belongs to is told
/// by its arrays and, where they leave it open, by `hints`; every parameter must be there in its
/// shape, and nothing else. Whatever is wrong is one Error that names the file.
HaikuCheckpoint read_haiku_checkpoint(const std::filesystem::path& path, const HaikuHints& hints);

/// Writes it as a checkpoint of ours: parameters, Adam's state as adam/m/NAME and adam/v/NAME, the
/// options as `config` in the metadata.
void save_checkpoint(const std::filesystem::path& path, const HaikuCheckpoint& checkpoint);

}  // namespace npq::train
