#include "npq/clrs/dataset/sampler.h"

#include <algorithm>

#include "npq/base/error.h"

namespace npq::clrs {
namespace {

constexpr int kWarmUpSamples = 1000;

std::vector<const Sample*> pointers_to(const std::vector<Sample>& samples) {
  std::vector<const Sample*> pointers(samples.size());
  std::transform(samples.begin(), samples.end(), pointers.begin(),
                 [](const Sample& sample) { return &sample; });
  return pointers;
}

}  // namespace

Sampler::Sampler(const Algorithm& algorithm, const GenerateOptions& options, bool track_max_steps)
    : algorithm_(&algorithm),
      options_(options),
      track_max_steps_(track_max_steps),
      random_(options.seed) {
  if (options.samples >= 0) {
    dataset_ = generate(algorithm, options);
    random_ = dataset_->random;
    max_steps_ = dataset_->longest();
    return;
  }
  GenerateOptions one = options;
  one.samples = 1;
  one.validate(algorithm);
  if (!track_max_steps) return;
  Trace trace(algorithm.spec(options.sampler.generator));
  for (int k = 0; k < kWarmUpSamples; ++k) {
    algorithm.run(algorithm.sample(random_, options.length, options.sampler), trace);
    max_steps_ = std::max(max_steps_, trace.finish().length());
  }
}

Sampler::Sampler(const Algorithm& algorithm, const GenerateOptions& options, bool track_max_steps,
                 const Position& position)
    : algorithm_(&algorithm),
      options_(options),
      track_max_steps_(track_max_steps),
      random_(options.seed),
      max_steps_(position.max_steps) {
  NPQ_ASSERT(options.samples < 0);  // a stored dataset would have to be made again
  if (position.max_steps < 0)
    throw UsageError("a sampler's position has {} steps; the checkpoint is damaged, use another",
                     position.max_steps);
  random_.set_state(position.random);
}

Batch Sampler::next() {
  if (!dataset_) throw UsageError("samples made on the fly have no end; ask for a batch size");
  return make_batch(pointers_to(dataset_->samples), max_steps_);
}

Batch Sampler::next(int batch_size) {
  if (batch_size < 1)
    throw UsageError("a batch of {} samples was asked for; expected at least 1", batch_size);
  if (!dataset_) return next_on_the_fly(batch_size);
  const auto stored = static_cast<std::int64_t>(dataset_->samples.size());
  if (batch_size > stored)
    throw UsageError("a batch of {} was asked for, but only {} samples are stored", batch_size,
                     stored);
  drawn_ = random_.randint(0, stored, batch_size);
  std::vector<const Sample*> chosen;
  for (const auto index : drawn_) chosen.push_back(&dataset_->samples[index]);
  return make_batch(chosen, max_steps_);
}

Batch Sampler::next_on_the_fly(int batch_size) {
  Trace trace(algorithm_->spec(options_.sampler.generator));
  std::vector<Sample> samples;
  int longest = 0;
  for (int b = 0; b < batch_size; ++b) {
    algorithm_->run(algorithm_->sample(random_, options_.length, options_.sampler), trace);
    samples.push_back(trace.finish());
    longest = std::max(longest, samples.back().length());
  }
  max_steps_ = track_max_steps_ ? std::max(max_steps_, longest) : longest;
  return make_batch(pointers_to(samples), max_steps_);
}

}  // namespace npq::clrs
