#include "npq/experiment/status.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/files/run_files.h"
#include "npq/experiment/claim.h"
#include "npq/experiment/committed.h"
#include "npq/experiment/evaluation.h"
#include "npq/experiment/progress.h"

namespace npq::experiment {
namespace {

namespace fs = std::filesystem;

bool there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// How many steps the folder's run was asked for; nothing if it has not begun.
std::optional<std::int64_t> steps_asked(const RunPaths& paths, const PlannedRun& run) {
  if (!there(paths.config())) return std::nullopt;
  return count_at(read_config(paths), run.counted_in()).value_or(0);
}

/// Whether training has ended after that many steps. A run that goes on for more keeps its old
/// result.json until it has a new one, so its presence alone says nothing.
bool is_trained(const RunPaths& paths, const PlannedRun& run) {
  return there(paths.result()) && count_at(read_result(paths), run.counted_in()) == run.steps;
}

/// What keeps the folder from being this run; empty if nothing does.
std::string foreign(const PlannedRun& run, const fs::path& folder,
                    const std::optional<Record>& record, std::optional<std::int64_t> asked) {
  if (!record)
    return asked
               ? fmt::format("'{}' holds a run that npq experiment did not start", folder.string())
               : "";
  if (record->key != run.key() || record->flags != run.flags)
    return fmt::format("'{}' holds a run with other options", folder.string());
  if (asked && *asked > run.steps)
    return fmt::format("'{}' was asked for {} {}, this plan asks for {}", folder.string(), *asked,
                       run.counted_in(), run.steps);
  return "";
}

bool is_answered(const Record& record, const Record::Evaluated& wanted) {
  return record.evaluated->steps == wanted.steps &&
         open_tests(record.evaluated, wanted).missing.empty();
}

Status read(const Plan& plan, const PlannedRun& run, const Places& places) {
  if (committed_result(places.results, plan, run))
    return {.state = State::Committed, .step = run.steps};
  const RunPaths paths{places.out / run.folder()};
  // Asked first: who finishes between the two questions must not look as if he had stopped.
  const bool claimed = Claim::is_taken(paths.folder);
  const auto record = read_record(paths.folder);
  const auto asked = steps_asked(paths, run);
  Status status;
  if (const auto words = foreign(run, paths.folder, record, asked); !words.empty()) {
    status.state = State::Foreign;
    status.note = words + "; choose another --out";
    return status;
  }
  if (asked) {
    const auto last = last_progress(paths.metrics(), run);
    status.step = last.step;
    status.seconds = last.seconds;
    status.loss = last.loss;
    status.validation = last.validation;
  }
  const bool trained = asked == run.steps && is_trained(paths, run);
  const bool tested = run.tests.sizes.empty() || there(paths.folder / "evaluation.json");
  if (trained && record->evaluated && tested && is_answered(*record, wanted_evaluation(run)))
    status.state = State::Done;
  else if (claimed)
    status.state = trained ? State::Testing : State::Training;
  else if (record && !record->failure.empty())
    status = {State::Failed, status.step,       status.seconds,
              status.loss,   status.validation, record->failure};
  else if (asked)
    status.state = trained ? State::Trained : State::Stopped;
  return status;
}

}  // namespace

const char* state_name(State state) {
  switch (state) {
    case State::Waiting:
      return "waiting";
    case State::Stopped:
      return "stopped";
    case State::Training:
      return "training";
    case State::Trained:
      return "trained";
    case State::Testing:
      return "testing";
    case State::Done:
      return "done";
    case State::Committed:
      return "committed";
    case State::Failed:
      return "failed";
    case State::Foreign:
      return "foreign";
  }
  return "?";
}

Status status_of(const Plan& plan, const PlannedRun& run, const Places& places) {
  try {
    return read(plan, run, places);
  } catch (const Error& error) {
    return {.state = State::Foreign, .note = error.what()};
  }
}

}  // namespace npq::experiment
