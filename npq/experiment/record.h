#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "npq/experiment/plan.h"

namespace npq::experiment {

/// What an experiment adds to the files of a run, in RUN/experiment.json: what was planned,
/// and what its workers measured. Only the holder of the claim writes it.
struct Record {
  std::string key;
  Flags flags;
  std::string why;  // it is in the experiment
  /// What RUN/evaluation.json holds, and after how many steps.
  struct Evaluated {
    std::int64_t steps = 0;
    Tests tests;
  };
  std::optional<Evaluated> evaluated;
  std::int64_t peak_bytes = 0;  // peak memory of training
  int crashes = 0;              // in all
  /// Why it was given up, and when (seconds since 1970); empty if it was not.
  std::string failure;
  double failed_at = 0;
};

std::filesystem::path record_file(const std::filesystem::path& folder);
/// Nothing if there is none; an Error if it is not such a file.
std::optional<Record> read_record(const std::filesystem::path& folder);
void write_record(const std::filesystem::path& folder, const Record& record);

/// The record of all tests that are planned.
Record::Evaluated wanted_evaluation(const PlannedRun& run);

}  // namespace npq::experiment
