#include "npq/experiment/job.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

#include "npq/base/error.h"
#include "npq/base/files/run_folder.h"
#include "npq/base/printable.h"

namespace npq::experiment {
namespace {

namespace fs = std::filesystem;

constexpr int kCrashesForgiven = 1;
constexpr int kUsageError = 2;  // will be the same a second time

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string last_line(const fs::path& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) last = line;
  return printable(last, 300);
}

}  // namespace

Job::Job(const Plan& plan, const PlannedRun& run, const RunnerOptions& options, const Watch& watch,
         Claim claim)
    : plan_(&plan),
      run_(&run),
      options_(&options),
      watch_(&watch),
      folder_(options.places.out / run.folder()),
      claim_(std::move(claim)),
      begin_(std::chrono::steady_clock::now()) {
  record_ = read_record(folder_).value_or(Record{.key = run.key(), .flags = run.flags});
  record_.why = run.why;
}

std::optional<Job> Job::begin(const Plan& plan, const PlannedRun& run, const RunnerOptions& options,
                              const Watch& watch) {
  const auto folder = options.places.out / run.folder();
  auto claim = Claim::take(folder);
  if (!claim) return std::nullopt;
  // Now that it is ours, no other process changes it; earlier readings may be old. Our own claim
  // makes it look busy.
  const auto status = status_of(plan, run, options.places);
  if (status.finished() || status.state == State::Foreign) return std::nullopt;
  Job job(plan, run, options, watch, std::move(*claim));
  job.testing_ = status.state == State::Testing;
  job.record_.failure.clear();
  write_record(folder, job.record_);
  job.tell(job.testing_       ? Event::Kind::Testing
           : status.step == 0 ? Event::Kind::Started
                              : Event::Kind::Resumed,
           status.step == 0 || job.testing_
               ? ""
               : fmt::format("from {} {}", run.kind().unit, status.step));
  job.start_child();
  return job;
}

void Job::start_child() {
  const auto ranks = std::to_string(options_->ranks), threads = std::to_string(options_->threads);
  const bool srun = options_->ranks > 1 && options_->slurm;
  ChildOptions child{.words = {},
                     .out = testing_ ? folder_ / ".evaluation.json.part" : fs::path(),
                     .log = folder_ / "worker.log",
                     .inherited = claim_.descriptor()};
  auto& words = child.words;
  const auto add = [&](std::vector<std::string> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  if (srun) add({"/usr/bin/env", "srun", "--ntasks", ranks, "--cpus-per-task", threads});
  add({options_->program});
  std::error_code ignored;
  if (testing_) {
    // Size by size: what was tested before a kill is kept.
    tests_ = open_tests(record_.evaluated, wanted_evaluation(*run_), folder_ / "evaluation.json");
    const int size = tests_.missing.front();
    const auto& tests = run_->tests;
    add({"evaluate", folder_.string(), "--json", "--no-save", "--sizes", std::to_string(size)});
    if (const auto samples = tests.samples.find(size); samples != tests.samples.end())
      add({"--samples", std::to_string(samples->second)});
    if (!tests.ablate.empty()) add({"--ablate", fmt::format("{}", fmt::join(tests.ablate, ","))});
  } else {
    add(run_->command());
    if (fs::exists(RunPaths{folder_}.config(), ignored)) {
      add({"--resume", folder_.string(), fmt::format("--{}", run_->counted_in()),
           std::to_string(run_->steps)});
    } else {
      add({"--out", folder_.string()});
      add(run_->arguments());
    }
  }
  add({"--quiet", "--threads", threads});
  if (options_->ranks > 1 && !srun) add({"--ranks", ranks});
  child_ = Child::start(child);
}

Job::Phase Job::look(bool stopping) {
  const auto ending = child_->poll();
  if (!ending) return Phase::Working;
  if (!testing_) record_.peak_bytes = std::max(record_.peak_bytes, ending->peak_bytes);
  if (ending->code == 0) {
    const auto phase = after_success();
    if (phase != Phase::Working || !stopping) {
      if (phase == Phase::Working) start_child();
      return phase;
    }
  }
  if (!stopping) return after_crash(ending->code);
  write_record(folder_, record_);
  tell(Event::Kind::Stopped);
  return Phase::Stopped;
}

Job::Phase Job::after_success() {
  if (testing_) {
    keep_test();
    if (tests_.missing.size() > 1) return Phase::Working;
  } else if (run_->tests.sizes.empty()) {
    record_.evaluated = wanted_evaluation(*run_);
    write_record(folder_, record_);
  } else {
    write_record(folder_, record_);
    testing_ = true;
    tell(Event::Kind::Testing);
    return Phase::Working;
  }
  tell(Event::Kind::Finished);
  return Phase::Finished;
}

void Job::keep_test() {
  // A process killed between the two files must not leave a record of tests that were removed.
  if (tests_.kept.empty() && record_.evaluated) {
    record_.evaluated.reset();
    write_record(folder_, record_);
  }
  add_evaluation(folder_ / ".evaluation.json.part", folder_ / "evaluation.json", tests_.kept);
  record_.evaluated =
      with_test(record_.evaluated, wanted_evaluation(*run_), tests_.kept, tests_.missing.front());
  write_record(folder_, record_);
}

Job::Phase Job::after_crash(int code) {
  ++record_.crashes;
  const bool last = ++crashes_ > kCrashesForgiven || code == kUsageError;
  const auto words = last_words(code);
  if (last) {
    record_.failure = words;
    record_.failed_at = now();
  }
  write_record(folder_, record_);
  tell(last ? Event::Kind::GivenUp : Event::Kind::Crashed, words);
  if (last) return Phase::GivenUp;
  start_child();
  return Phase::Working;
}

std::string Job::last_words(int code) const {
  const auto* stage = testing_ ? "testing" : "training";
  const auto how = code > 128 ? fmt::format("{} was killed by signal {}", stage, code - 128)
                              : fmt::format("{} ended with exit code {}", stage, code);
  const auto said = code > 128 ? "" : last_line(folder_ / "worker.log");
  return said.empty() ? how : fmt::format("{}: {}", how, said);
}

void Job::tell(Event::Kind kind, const std::string& note) const {
  if (watch_->event) watch_->event({kind, run_, note});
}

double Job::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

}  // namespace npq::experiment
