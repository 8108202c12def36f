#pragma once
#include <vector>

#include "npq/base/options/option_table.h"

namespace npq::train {

/// The options of every run about the weights that it begins with: those it is asked for, and the
/// checksum of what it has found, so that a run that is resumed begins with the same.
template <class Options, class Init, class Checksum>
std::vector<Option<Options>> initial_weights_rows(Init init, Checksum checksum) {
  return {plain_option<Options>("init",
                                "begin with the best weights of this run, or those of a file such "
                                "as RUN/last.safetensors",
                                "RUN", init)
              .later(),
          plain_option<Options>("init-checksum", "", "X", checksum).not_listed().later()};
}

}  // namespace npq::train
