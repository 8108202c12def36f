#pragma once
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "npq/base/formats/dtype.h"
#include "npq/c/handles.h"
#include "npq/clrs/dataset/sampler.h"

// The things of CLRS that a handle may stand for.
namespace npq::c {

struct ClrsDataset : Thing {
  static constexpr std::string_view kKind = "dataset";
  explicit ClrsDataset(clrs::Dataset made) : data(std::move(made)) {}
  std::string_view kind() const override { return kKind; }

  const clrs::Spec& spec() const { return data.algorithm->spec(data.options.sampler.generator); }
  /// A sample that must exist.
  const clrs::Sample& sample(std::int64_t index) const;
  std::vector<const clrs::Sample*> samples(std::span<const std::int64_t> indices) const;

  const clrs::Dataset data;
};

struct ClrsSampler : Thing {
  static constexpr std::string_view kKind = "sampler";
  std::string_view kind() const override { return kKind; }

  std::vector<clrs::Sampler> samplers;  // one per size; they alternate
  int batch = 0;
  std::int64_t drawn = 0;  // batches so far
  std::mutex mutex;
};

/// How numbers are laid out: NPQ_AS_STORED or NPQ_SINGLE.
enum class Numbers { AsStored, Single };
Numbers numbers_of(std::int32_t numbers);

/// Arrays that a caller looks at and may write to.
struct Arrays : Thing {
  static constexpr std::string_view kKind = "set of arrays";
  std::string_view kind() const override { return kKind; }

  struct Array {
    std::string stage, name;
    Dtype dtype;
    std::vector<std::int64_t> shape;
    std::unique_ptr<std::byte[]> bytes;
  };
  std::vector<Array> all;
};

/// An Error where the arrays of a batch would fill the memory: before they do.
void check_batch_fits(const clrs::Spec& spec, int nodes, std::int64_t samples, std::int64_t steps);

std::shared_ptr<Arrays> arrays_of(const clrs::Sample& sample, Numbers numbers);
/// `steps` 0: the longest of the samples.
std::shared_ptr<Arrays> arrays_of(std::span<const clrs::Sample* const> samples, int steps,
                                  Numbers numbers);
std::shared_ptr<Arrays> arrays_of(const clrs::Batch& batch, Numbers numbers);

}  // namespace npq::c
