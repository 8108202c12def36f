#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "npq/experiment/record.h"

// The tests of a run add up: those in RUN/evaluation.json, and those to be added.
namespace npq::experiment {

/// Which sizes stay as they are, and which are to be tested.
struct OpenTests {
  std::vector<int> kept, missing;
};

/// By the record alone. Tests after other steps, on other samples or without a wanted ablation do
/// not count.
OpenTests open_tests(const std::optional<Record::Evaluated>& there,
                     const Record::Evaluated& wanted);
/// The same, if `file` has the tests of the record; otherwise nothing is kept.
OpenTests open_tests(const std::optional<Record::Evaluated>& there, const Record::Evaluated& wanted,
                     const std::filesystem::path& file);

/// The record when `size` has been tested beside the sizes `kept` of the old record.
Record::Evaluated with_test(const std::optional<Record::Evaluated>& there,
                            const Record::Evaluated& wanted, std::vector<int> kept, int size);

/// Replaces `file` by `part`, which npq evaluate --json has written, together with the tests in
/// `file` of the sizes `kept`. Readers of `file` find either the old or the new version.
void add_evaluation(const std::filesystem::path& part, const std::filesystem::path& file,
                    const std::vector<int>& kept);

}  // namespace npq::experiment
