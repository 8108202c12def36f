#pragma once
#include <string>
#include <vector>

#include "npq/experiment/experiment.h"

namespace npq::experiment {

/// The names of the experiments that come with the program: the files of experiments/.
std::vector<std::string> built_in_names();

/// A built-in experiment by its name, or any by the path of its file (a name with a '/' or that
/// ends in ".json"); the latter is named after its file.
Experiment find_experiment(const std::string& name_or_path);

}  // namespace npq::experiment
