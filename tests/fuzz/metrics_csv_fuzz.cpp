// Any lines are either a table with a row for each of them, or one npq::Error.
#include <span>
#include <vector>

#include "npq/base/error.h"
#include "npq/base/files/metrics_csv.h"

namespace {

// Lines of a CSV text; those inside quotes do not count.
std::size_t rows_of(const std::string& csv) {
  std::size_t rows = 0;
  bool inside = false;
  for (const char c : csv) {
    if (c == '"') inside = !inside;
    if (c == '\n' && !inside) ++rows;
  }
  NPQ_ASSERT(!inside);
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> lines(1);
  for (const auto byte : std::span(data, size)) {
    if (byte == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += static_cast<char>(byte);
    }
  }
  try {
    NPQ_ASSERT(rows_of(npq::metrics_csv(lines, "fuzz")) == lines.size() + 1);
  } catch (const npq::Error&) {
  }
  return 0;
}
