#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "npq/base/files/run_folder.h"

// The files of a run's models: those of algorithms and of peptides have the same.
namespace npq::train {

enum class Which { Best, Last, Average, All };
/// "best", "last", "average" or "all"; anything else is a UsageError.
Which find_which(std::string_view name);
/// One model alone: "all" is not among the names.
Which find_one(std::string_view name);

struct ModelFile {
  std::string name;  // "best", "last" or "average"
  std::filesystem::path path;
};

/// `All` takes what is there already; asking for one that is not there is an Error.
std::vector<ModelFile> find_model_files(const RunPaths& paths, Which which);

}  // namespace npq::train
