#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "npq/base/progress.h"
#include "npq/clrs/catalog.h"
#include "npq/clrs/trace/sample.h"
#include "npq/random/random_state.h"

namespace npq::clrs {

struct GenerateOptions {
  std::uint32_t seed = 1;
  int length = 16;  // the sampler's length; see Algorithm::nodes
  std::int64_t samples = 1000;
  SamplerOptions sampler = {};

  /// Throws UsageError if `algorithm` cannot be generated so.
  void validate(const Algorithm& algorithm) const;
};

/// Steps of a sample of that length, at least: half the mean of a few short ones, and on from there
/// half as steeply, where they grow with the length.
double least_steps(const Algorithm& algorithm, int length);
/// Bytes that the samples take at least, in memory together with the recorder of one run, and in a
/// file.
double least_bytes(const Algorithm& algorithm, const GenerateOptions& options);
double least_file_bytes(const Algorithm& algorithm, const GenerateOptions& options);

using npq::Progress;

/// Samples in generation order, compact, and the random stream as it stands behind the last of
/// them.
struct Dataset {
  const Algorithm* algorithm;
  GenerateOptions options;
  std::vector<Sample> samples;
  random::RandomState random;

  int longest() const;        // T of the longest trajectory
  std::size_t bytes() const;  // what the samples occupy
};

/// The first `samples` samples of the stream that `seed` begins. The draws are made one sample
/// after the other, the algorithms run on `threads` threads (0 = all): the data do not depend on
/// their number. More than the memory that is free holds is an Error (npq/base/resources.h).
Dataset generate(const Algorithm& algorithm, const GenerateOptions& options, int threads = 0,
                 const Progress& progress = {});

/// The splits of the benchmark: train (seed 1, length 16, 1000 samples), val (2, 16) and test (3,
/// 64), both with 32 samples times the algorithm's multiplier.
enum class Split { Train, Val, Test };
inline constexpr Split kSplits[] = {Split::Train, Split::Val, Split::Test};
std::string_view name_of(Split split);
Split find_split(std::string_view name);
GenerateOptions official_split(const Algorithm& algorithm, Split split);

/// All 90 splits of CLRS-30, catalog order, train, val and test of each; several splits at a time.
std::vector<Dataset> generate_official(int threads = 0, const Progress& progress = {});

}  // namespace npq::clrs
