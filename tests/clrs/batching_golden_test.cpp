// Batches, padding, post-processing and chunks against the benchmark's own
// (golden/clrs/batching.safetensors).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "npq/base/formats/safetensors.h"
#include "npq/clrs/dataset/chunker.h"
#include "npq/clrs/dataset/sampler.h"
#include "npq/clrs/dataset/transforms.h"

namespace npq::clrs {
namespace {

class Batching : public testing::Test {
 protected:
  std::vector<double> golden(const std::string& name) {
    const auto& info = file_.at(name);
    compared_.insert(name);
    if (info.dtype == Dtype::F64) return file_.values<double>(name);
    const auto integers = file_.values<std::int64_t>(name);
    return {integers.begin(), integers.end()};
  }

  void expect_arrays(const std::string& prefix, const char* stage,
                     const std::vector<Array>& arrays) {
    for (const auto& array : arrays) {
      const auto name = fmt::format("{}/{}/{}", prefix, stage, array.probe.name);
      EXPECT_EQ(array.shape, file_.at(name).shape) << name;
      EXPECT_EQ(array.probe.number == Number::Int64, file_.at(name).dtype == Dtype::I64) << name;
      EXPECT_EQ(array.values, golden(name)) << name;
    }
  }

  void expect_batch(const std::string& prefix, const Batch& batch) {
    expect_arrays(prefix, "input", batch.inputs);
    expect_arrays(prefix, "hint", batch.hints);
    expect_arrays(prefix, "output", batch.outputs);
    EXPECT_EQ(batch.lengths, golden(prefix + "/lengths"));
  }

  /// Nothing that the file says about `prefix` may be left out.
  void expect_all_compared(const std::string& prefix) {
    for (const auto& tensor : file_.tensors()) {
      if (tensor.name.starts_with(prefix + "/")) {
        EXPECT_TRUE(compared_.contains(tensor.name)) << tensor.name;
      }
    }
  }

  const SafetensorsFile file_ =
      SafetensorsFile::open(NPQ_TESTS_DIR "/golden/clrs/batching.safetensors");
  std::set<std::string> compared_;
};

std::vector<double> as_doubles(const std::vector<std::int64_t>& values) {
  return {values.begin(), values.end()};
}

TEST_F(Batching, AStoredDatasetHandsOutAllThenDrawsWithReplacementFromItsOwnStream) {
  Sampler sampler(find_algorithm("bfs"), {.seed = 5, .length = 8, .samples = 10});
  expect_batch("fixed_bfs/all", sampler.next());
  for (int k = 0; k < 2; ++k) {
    expect_batch(fmt::format("fixed_bfs/batch{}", k), sampler.next(4));
    EXPECT_EQ(as_doubles(sampler.drawn()), golden(fmt::format("fixed_bfs/batch{}/indices", k)));
  }
  expect_all_compared("fixed_bfs");
}

TEST_F(Batching, OnTheFlyAThousandSamplesAreThrownAwayFirst) {
  GenerateOptions options{.seed = 5, .length = 6, .samples = -1};
  for (int i = 0; i < 9; ++i) options.sampler.p.push_back(0.1 + 0.1 * i);
  Sampler sampler(find_algorithm("bellman_ford"), options);
  EXPECT_EQ(sampler.max_steps(), golden("fly_bellman_ford/max_steps_after_init")[0]);
  expect_batch("fly_bellman_ford/batch0", sampler.next(3));
  expect_batch("fly_bellman_ford/batch1", sampler.next(3));
  EXPECT_EQ(sampler.max_steps(), golden("fly_bellman_ford/max_steps_after_two_batches")[0]);
  expect_all_compared("fly_bellman_ford");
}

TEST_F(Batching, AnEnforcedPermutationIsAMatrixAndTheMaskOfItsFirstNode) {
  Sampler sampler(find_algorithm("insertion_sort"), {.seed = 5, .length = 5, .samples = 6});
  Batch batch = sampler.next(3);
  enforce_permutations(batch);
  expect_batch("perm_insertion_sort/batch0", batch);
  expect_all_compared("perm_insertion_sort");
}

TEST_F(Batching, AConstantPredecessorBecomesAnInput) {
  Sampler sampler(find_algorithm("minimum"), {.seed = 5, .length = 5, .samples = 6});
  Batch batch = sampler.next(3);
  pred_as_input(batch);
  relax_permutations(batch);
  expect_batch("predinput_minimum/batch0", batch);
  expect_all_compared("predinput_minimum");
}

TEST_F(Batching, RandomPositionsAscendWithinEachString) {
  GenerateOptions options{.seed = 5, .length = 10, .samples = 6};
  options.sampler.length_needle = -3;
  Sampler sampler(find_algorithm("kmp_matcher"), options);
  random::RandomState random(9);
  for (int k = 0; k < 2; ++k) {
    Batch batch = sampler.next(3);
    randomize_positions(batch, random);
    expect_batch(fmt::format("randpos_kmp_matcher/batch{}", k), batch);
  }
  expect_all_compared("randpos_kmp_matcher");
}

TEST_F(Batching, ChunksCutEndlessLanesOfSamples) {
  Sampler sampler(find_algorithm("bfs"), {.seed = 5, .length = 8, .samples = 10});
  Chunker chunker([&] { return sampler.next(4); }, 6);
  for (int k = 0; k < 3; ++k) {
    const auto prefix = fmt::format("chunk_bfs/chunk{}", k);
    const Chunk chunk = chunker.next();
    expect_arrays(prefix, "input", chunk.inputs);
    expect_arrays(prefix, "hint", chunk.hints);
    expect_arrays(prefix, "output", chunk.outputs);
    EXPECT_EQ(chunk.is_first, golden(prefix + "/is_first"));
    EXPECT_EQ(chunk.is_last, golden(prefix + "/is_last"));
  }
  expect_all_compared("chunk_bfs");
}

}  // namespace
}  // namespace npq::clrs
