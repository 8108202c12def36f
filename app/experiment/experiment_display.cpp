#include "app/experiment/experiment_display.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/terminal.h"
#include "npq/base/files/run_folder.h"
#include "npq/experiment/progress.h"

namespace npq::app {
namespace {

using experiment::Event;
using Clock = std::chrono::steady_clock;

constexpr auto kPlainLine = std::chrono::seconds(30);

/// A line about a run. If it is too long, the beginning of the name is cut: all runs share it.
std::string named(const std::string& name, const std::string& words, std::size_t width) {
  constexpr std::size_t kShortest = 16, kSpaces = 4;
  const std::size_t room = width > words.size() + kSpaces ? width - words.size() - kSpaces : 0;
  const std::size_t shown = std::max(kShortest, room);
  if (name.size() <= shown) return fmt::format("  {}  {}", name, words);
  return fmt::format("  ..{}  {}", name.substr(name.size() - shown + 2), words);
}

std::string words_of(const Event& event) {
  const auto& key = event.run->key();
  const auto with = [&](const char* word) {
    return event.note.empty() ? fmt::format("{}: {}", key, word)
                              : fmt::format("{}: {} {}", key, word, event.note);
  };
  switch (event.kind) {
    case Event::Kind::Started:
      return with("started");
    case Event::Kind::Resumed:
      return with("goes on");
    case Event::Kind::Testing:
      return with("trained, is tested");
    case Event::Kind::Finished:
      return with("finished");
    case Event::Kind::Crashed:
      return fmt::format("{}: {}; it is tried once more", key, event.note);
    case Event::Kind::GivenUp:
      return fmt::format("{}: given up, {}", key, event.note);
    case Event::Kind::Stopped:
      return with("stopped");
  }
  return key;
}

}  // namespace

ExperimentDisplay::ExperimentDisplay(std::filesystem::path out, double expected_seconds, bool quiet)
    : out_(std::move(out)),
      expected_(expected_seconds),
      quiet_(quiet),
      terminal_(draws(STDERR_FILENO)),
      begin_(Clock::now()),
      last_(begin_) {}

ExperimentDisplay::~ExperimentDisplay() { clear(); }

void ExperimentDisplay::clear() {
  // Up to the first of our lines, and from there everything is wiped.
  // Not fmt::print, which throws on a closed pipe: the destructor calls this.
  if (drawn_ > 0) std::fputs(fmt::format("\x1b[{}A\r\x1b[J", drawn_).c_str(), stderr);
  drawn_ = 0;
}

void ExperimentDisplay::event(const Event& event) {
  const bool bad = event.kind == Event::Kind::Crashed || event.kind == Event::Kind::GivenUp;
  if (quiet_ && !bad) return;
  clear();
  fmt::print(stderr, "{}\n", words_of(event));
}

std::string ExperimentDisplay::worker_line(const experiment::Snapshot::Active& active,
                                           std::size_t width) const {
  const auto& run = *active.run;
  if (active.testing) return named(run.key(), "is tested, " + human_seconds(active.seconds), width);
  const auto end = experiment::last_progress(RunPaths{out_ / run.folder()}.metrics(), run);
  // What matters most comes first: the end of a long line is cut.
  auto words = fmt::format("{}/{} {}", end.step, run.steps, run.counted_in());
  if (end.step > 0 && end.seconds > 0)
    words += fmt::format("  {} left", human_seconds(static_cast<double>(run.steps - end.step) *
                                                    end.seconds / static_cast<double>(end.step)));
  if (end.loss) words += fmt::format("  loss {:.3f}", *end.loss);
  if (end.validation) words += fmt::format("  validation {:.3f}", *end.validation);
  return named(run.key(), words, width);
}

std::string ExperimentDisplay::total_line(const experiment::Snapshot& snapshot) const {
  auto line = fmt::format("{}/{} runs finished, {} running", snapshot.finished, snapshot.total,
                          snapshot.active.size());
  if (snapshot.elsewhere > 0) line += fmt::format(", {} in other processes", snapshot.elsewhere);
  if (snapshot.failed > 0) line += fmt::format(", {} failed", snapshot.failed);
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  line += "  " + human_seconds(elapsed);
  if (expected_ > elapsed) line += fmt::format(" of about {}", human_seconds(expected_));
  return line;
}

void ExperimentDisplay::tick(const experiment::Snapshot& snapshot) {
  if (quiet_) return;
  if (!terminal_) {
    if (Clock::now() - last_ < kPlainLine) return;
    last_ = Clock::now();
    fmt::print(stderr, "{}\n", total_line(snapshot));
    for (const auto& active : snapshot.active)
      fmt::print(stderr, "{}\n", worker_line(active, std::string::npos));
    return;
  }
  clear();
  std::string text;
  const auto width = screen_width(STDERR_FILENO) - 1;
  const auto add = [&](const std::string& line) {
    text += shortened(line, width) + "\n";  // a line that wraps would count as two
    ++drawn_;
  };
  for (const auto& active : snapshot.active) add(worker_line(active, width));
  add(total_line(snapshot));
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace npq::app
