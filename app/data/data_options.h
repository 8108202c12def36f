#pragma once
#include <string>

#include "app/cli.h"
#include "npq/clrs/dataset/dataset.h"

namespace npq::app {

/// The flags that say which samples: shared by `data show` and `data export`. Unset flags keep the
/// split's or the default value.
struct SampleFlags {
  std::optional<int> nodes;
  std::optional<std::int64_t> samples;
  std::optional<std::uint32_t> seed;
  std::string p;
  std::optional<int> needle;
  std::string split;
  std::string generator = "v1";
  std::optional<double> low, high;
  std::optional<int> truncate_decimals;

  void bind(CLI::App* command, bool with_split);
  /// Starts from the split (or from `fallback`) and applies the flags.
  clrs::GenerateOptions options(const clrs::Algorithm& algorithm,
                                const clrs::GenerateOptions& fallback) const;
};

}  // namespace npq::app
