#pragma once
#include <vector>

#include "npq/train/measuring/speed.h"

namespace npq::train {

/// An update taken apart on one thread: seconds of each part of its batch alone, and of all that
/// is done once (loss weights, the sum of the parts, Adam). Medians.
struct PartTimes {
  std::vector<double> parts;
  double rest = 0;

  double seconds() const;  // one after the other
};
PartTimes time_parts(const TrainOptions& options, int repeats, Clock clock);

/// How long it takes where so many threads take the parts as they come: the longest chain. What
/// more threads than parts gain inside a part, and the sum of the parts on several threads, are
/// left out.
double seconds_on(const PartTimes& times, int threads);

}  // namespace npq::train
