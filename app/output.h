#pragma once
#include <exception>
#include <functional>
#include <string>
#include <string_view>

// Output to a closed pipe (`npq ... | head -1`), or that cannot be written. SIGPIPE is ignored, so
// writing to a closed pipe is an error: printing throws, and Cli::run ends the program without a
// message.
namespace npq::app {

/// The exit code after writing to a closed pipe: that of a program ended by SIGPIPE.
inline constexpr int kClosedPipe = 141;

/// Opens standard streams that were closed at the start (`npq ... >&-`): otherwise the first file
/// that the program opens, such as the lock of a run, becomes its standard output.
void open_missing_streams();

/// Whether `error` is what printing to a closed pipe throws.
bool is_closed_pipe(const std::exception& error);
/// The message of `error` for users.
std::string sentence_of(const std::exception& error);

/// Writes the buffered standard output; throws if that fails.
void flush_output();

/// A line on standard error, after "npq: ". If it cannot be written, nothing happens.
void complain(std::string_view sentence) noexcept;

/// Printing during work that must end in order: a failure is kept until the work has stopped.
class GuardedOutput {
 public:
  void print(const std::function<void()>& action) noexcept;
  bool failed() const { return failure_ != nullptr; }
  /// Throws the failure, if there was one.
  void check() const;

 private:
  std::exception_ptr failure_;
};

/// The end of a run that was stopped, by Ctrl-C or because its output failed: the exit code 1, or
/// the failure of the output. `how_to_go_on` is printed if there is an output.
int stopped(const GuardedOutput& output, std::string_view how_to_go_on);

}  // namespace npq::app
