#pragma once
#include <filesystem>
#include <optional>
#include <string>

// Free memory and disk, checked before anything is made: a network that does not fit would fill
// the memory for minutes and then be killed without a message, leaving an unfinished folder.
namespace npq {

/// Bytes of memory that may still be taken: what the system calls available or what is left to our
/// control group and those around it, whichever is less. Nothing if the system does not say.
/// `root` is where /proc and /sys are.
std::optional<double> free_memory(const std::filesystem::path& root = "/");
/// Bytes that may be written below `path`, which need not exist yet.
std::optional<double> free_disk(const std::filesystem::path& path);

/// An Error if `bytes` are more than are free. `what` needs them ("training with batch 32");
/// `less` is how to ask for less ("a smaller --batch"). `bytes` must be what is needed at least:
/// what works is never refused.
void check_memory(double bytes, const std::string& what, const std::string& less);
void check_disk(double bytes, const std::filesystem::path& path, const std::string& what,
                const std::string& less);
/// A UsageError if so many threads would only slow each other down; 0 is all cores.
void check_threads(int threads);

/// From now on the messages of refusals name --force, because the program offers it.
void offer_force();
/// From now on the checks above refuse nothing: --force.
void go_on_regardless();

/// "21.3 GB".
std::string bytes_text(double bytes);

}  // namespace npq
