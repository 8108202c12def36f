#pragma once
#include <exception>
#include <functional>
#include <string>
#include <string_view>

// What becomes of the output where nobody reads it (`npq ... | head -1`) or it cannot be written.
// SIGPIPE is ignored, so a closed pipe is an error of the write: what prints throws, and Cli::run
// ends the program without a word.
namespace npq::app {

/// The exit code where nobody reads the output: that of a program ended by SIGPIPE.
inline constexpr int kClosedPipe = 141;

/// Opens standard streams that the program was started without (`npq ... >&-`): else the first file
/// that it opens, the lock of a run, becomes its standard output.
void open_missing_streams();

/// Whether `error` is what printing to a closed pipe throws.
bool is_closed_pipe(const std::exception& error);
/// The words of `error` for a person.
std::string sentence_of(const std::exception& error);

/// Writes all that standard output still holds back; throws where that cannot be done.
void flush_output();

/// A line on standard error, behind "npq: ". Where nobody reads it there is nobody to tell.
void complain(std::string_view sentence) noexcept;

/// What is printed in the middle of work that must come to an orderly end: a failure is kept until
/// the work has stopped.
class GuardedOutput {
 public:
  void print(const std::function<void()>& action) noexcept;
  bool failed() const { return failure_ != nullptr; }
  /// Throws what went wrong, if anything did.
  void check() const;

 private:
  std::exception_ptr failure_;
};

/// The end of a run that was stopped, by Ctrl-C or because its output failed: the exit code 1, or
/// what went wrong with the output. `how_to_go_on` is said where it can be read.
int stopped(const GuardedOutput& output, std::string_view how_to_go_on);

}  // namespace npq::app
