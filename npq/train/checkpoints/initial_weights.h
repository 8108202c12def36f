#pragma once
#include <map>
#include <string>
#include <vector>

#include "npq/ops/parameter_store.h"

// Weights of another run to begin with.
namespace npq::train {

struct InitialWeights {
  std::string checksum;  // of the file's data
  std::map<std::string, at::Tensor> tensors;
};

/// The weights in a file, or the best ones of a run. An Error where `checksum` is not empty and not
/// that of the file: a run that is begun again begins with the same weights or not at all.
InitialWeights read_initial_weights(const std::string& run_or_file, const std::string& checksum);

/// A tensor that a new run takes over, and where it goes.
using WeightPlaces = std::vector<std::pair<std::string, at::Tensor>>;

/// Copies what the file holds into these places. Where a name is missing, there is one too many or
/// a shape is another, nothing is copied, and the Error names them with both shapes.
void take_weights(const InitialWeights& weights, const std::string& source,
                  const WeightPlaces& places);

}  // namespace npq::train
