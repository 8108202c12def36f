#pragma once
#include <filesystem>

namespace npq {

/// Where a file named `path` is written: `path` itself or, if it is a link, the final target, so
/// that the link stays. The target need not exist yet. Circular links are an Error, and so is
/// anything but a regular file: putting a file in place of a pipe, a device or a folder would
/// destroy it. Every writer calls this before it opens anything.
std::filesystem::path file_to_write(const std::filesystem::path& path);

/// Opens or creates it; `flags` are those of open(2). An Error if that fails.
int open_to_write(const std::filesystem::path& path, int flags);

}  // namespace npq
