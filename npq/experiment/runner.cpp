#include "npq/experiment/runner.h"

#include <signal.h>

#include <algorithm>
#include <list>
#include <thread>

#include "npq/base/error.h"
#include "npq/experiment/job.h"

namespace npq::experiment {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPoll = std::chrono::milliseconds(20);
constexpr auto kTick = std::chrono::milliseconds(200);
// How soon a run is taken over that another runner let go of.
constexpr auto kLookAround = std::chrono::milliseconds(500);

class Runner {
 public:
  Runner(const Plan& plan, const RunnerOptions& options, const Watch& watch)
      : plan_(plan), options_(options), watch_(watch) {
    for (const auto& run : plan.runs) open_.push_back(&run);
    begin_ =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  }

  Outcome run() {
    while (true) {
      const bool stopping = pass_on_interrupts();
      look_after_jobs(stopping);
      if (stopping && jobs_.empty()) break;
      if (!stopping && free_workers() > 0 && Clock::now() >= next_look_) begin_jobs();
      if (jobs_.empty() && open_.empty()) break;
      tick();
      std::this_thread::sleep_for(kPoll);
    }
    outcome_.stopped = passed_on_ > 0 && !open_.empty();
    return outcome_;
  }

 private:
  int free_workers() const { return options_.workers - static_cast<int>(jobs_.size()); }

  bool pass_on_interrupts() {
    const int asked = watch_.interrupts ? watch_.interrupts() : 0;
    for (; passed_on_ < asked; ++passed_on_)
      for (const auto& job : jobs_) job.send(SIGTERM);
    return asked > 0;
  }

  void look_after_jobs(bool stopping) {
    for (auto job = jobs_.begin(); job != jobs_.end();) {
      const auto phase = look(*job, stopping);
      if (phase == Job::Phase::Working) {
        ++job;
        continue;
      }
      if (phase == Job::Phase::Finished) ++outcome_.finished;
      if (phase != Job::Phase::Stopped) std::erase(open_, &job->run());
      job = jobs_.erase(job);
      next_look_ = Clock::now();
    }
  }

  /// A disk that is full ends a run, not the experiment.
  Job::Phase look(Job& job, bool stopping) {
    std::string failure;
    try {
      const auto phase = job.look(stopping);
      if (phase != Job::Phase::GivenUp) return phase;
      failure = job.failure();
    } catch (const Error& error) {
      failure = error.what();
    }
    fail(job.run(), failure);
    return Job::Phase::GivenUp;
  }

  void fail(const PlannedRun& run, const std::string& why) {
    outcome_.failed.push_back(fmt::format("{}: {}", run.key(), why));
  }

  void begin_jobs() {
    next_look_ = Clock::now() + kLookAround;
    elsewhere_ = 0;
    for (const auto* run : std::vector(open_)) {
      if (is_ours(*run)) continue;
      const auto status = status_of(plan_, *run, options_.places);
      if (status.finished()) {
        ++outcome_.finished;
        std::erase(open_, run);
      } else if (status.state == State::Foreign || given_up_meanwhile(*run, status)) {
        fail(*run, status.note);
        std::erase(open_, run);
      } else if (status.claimed()) {
        ++elsewhere_;
      } else if (free_workers() > 0) {
        begin(*run);
      }
    }
  }

  bool is_ours(const PlannedRun& run) const {
    return std::any_of(jobs_.begin(), jobs_.end(),
                       [&](const Job& job) { return &job.run() == &run; });
  }

  /// Given up by another runner. What was given up before we began is tried again.
  bool given_up_meanwhile(const PlannedRun& run, const Status& status) const {
    if (status.state != State::Failed) return false;
    const auto record = read_record(options_.places.out / run.folder());
    return record && record->failed_at >= begin_;
  }

  void begin(const PlannedRun& run) {
    try {
      if (auto job = Job::begin(plan_, run, options_, watch_)) jobs_.push_back(std::move(*job));
    } catch (const Error& error) {
      fail(run, error.what());
      std::erase(open_, &run);
    }
  }

  void tick() {
    if (!watch_.tick || Clock::now() < next_tick_) return;
    next_tick_ = Clock::now() + kTick;
    Snapshot snapshot{.active = {},
                      .total = static_cast<int>(plan_.runs.size()),
                      .finished = outcome_.finished,
                      .failed = static_cast<int>(outcome_.failed.size()),
                      .elsewhere = elsewhere_};
    for (const auto& job : jobs_)
      snapshot.active.push_back({&job.run(), job.testing(), job.seconds()});
    watch_.tick(snapshot);
  }

  const Plan& plan_;
  const RunnerOptions& options_;
  const Watch& watch_;
  std::vector<const PlannedRun*> open_;
  std::list<Job> jobs_;
  Outcome outcome_;
  double begin_ = 0;
  int passed_on_ = 0, elsewhere_ = 0;
  Clock::time_point next_look_, next_tick_;
};

}  // namespace

Outcome work_through(const Plan& plan, const RunnerOptions& options, const Watch& watch) {
  return Runner(plan, options, watch).run();
}

}  // namespace npq::experiment
