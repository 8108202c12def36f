// Any bytes are either rows of a table, or one npq::Error; where the pieces of a source end does
// not matter.
#include <algorithm>
#include <string_view>

#include "npq/base/error.h"
#include "npq/peptides/csv.h"

namespace {

std::string read_all(std::string_view text, std::size_t piece) {
  npq::peptides::CsvReader reader(
      [=, at = std::size_t{0}](std::span<char> buffer) mutable {
        const auto count = std::min({piece, buffer.size(), text.size() - at});
        std::copy_n(text.data() + at, count, buffer.data());
        at += count;
        return count;
      },
      "fuzz");
  std::string all;
  try {
    for (auto fields = reader.next(); !fields.empty(); fields = reader.next()) {
      for (const auto& field : fields) all += field + "\x1f";
      all += "\x1e";
    }
  } catch (const npq::Error&) {
    all += "error";
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  NPQ_ASSERT(read_all(text, 1) == read_all(text, 1000));
  return 0;
}
