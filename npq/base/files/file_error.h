#pragma once
#include <filesystem>
#include <string_view>

#include "npq/base/error.h"

namespace npq {

/// "cannot write 'x': No space left on device; free some space, ..." for the error number `code` of
/// a system call. `action` is what was tried: "write", "read", "lock".
Error file_error(std::string_view action, const std::filesystem::path& path, int code);

}  // namespace npq
