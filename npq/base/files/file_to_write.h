#pragma once
#include <filesystem>

namespace npq {

/// Where a file named `path` is written: `path` itself or, where a link stands there, what it leads
/// to in the end, so that the link stays. That need not exist yet. Links that lead nowhere else but
/// in a circle are an Error, and so is anything but a regular file: putting a file in place of a
/// pipe, a device or a folder would destroy it. Every writer asks here before it opens anything.
std::filesystem::path file_to_write(const std::filesystem::path& path);

/// Opens or creates it; `flags` are those of open(2). An Error where that fails.
int open_to_write(const std::filesystem::path& path, int flags);

}  // namespace npq
