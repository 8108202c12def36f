#include "npq/c/clrs_sampler.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "npq/c/clrs_things.h"

namespace npq::c {
namespace {

using nlohmann::json;

/// The options of each size: its length, its seed, and no stored samples.
std::vector<clrs::GenerateOptions> options_of(const SamplerRequest& request) {
  std::vector<clrs::GenerateOptions> all;
  random::RandomState script(request.options.seed);
  script.next_u32();  // the benchmark's script seeds its network with the first draw
  for (const int size : request.sizes) {
    auto options = request.options;
    options.length = size;
    options.samples = -1;
    if (request.sizes.size() > 1) options.seed = script.next_u32();
    all.push_back(options);
  }
  return all;
}

json position_json(const clrs::Sampler::Position& position) {
  const auto& random = position.random;
  return {{"words", random.words},
          {"position", random.position},
          {"gaussian", random.gaussian ? json(*random.gaussian) : json()},
          {"max_steps", position.max_steps}};
}

clrs::Sampler::Position position_from(const json& value) {
  clrs::Sampler::Position position;
  const auto words = value.at("words").get<std::vector<std::uint32_t>>();
  if (words.size() != position.random.words.size())
    throw Error("a random state has {} words; expected {}", words.size(),
                position.random.words.size());
  std::copy(words.begin(), words.end(), position.random.words.begin());
  position.random.position = value.at("position");
  if (!value.at("gaussian").is_null()) position.random.gaussian = value["gaussian"].get<double>();
  position.max_steps = value.at("max_steps");
  return position;
}

/// Refuses batches that would fill the memory, and steps of a damaged position that would.
void check_fits(const ClrsSampler& sampler, const SamplerRequest& request) {
  const auto& spec = request.algorithm->spec(request.options.sampler.generator);
  for (std::size_t k = 0; k < request.sizes.size(); ++k)
    check_batch_fits(spec, request.algorithm->nodes(request.sizes[k]), request.batch,
                     std::max(1, sampler.samplers[k].max_steps()));
}

}  // namespace

std::shared_ptr<ClrsSampler> make_sampler(const SamplerRequest& request) {
  auto sampler = std::make_shared<ClrsSampler>();
  sampler->batch = request.batch;
  for (const auto& options : options_of(request))
    sampler->samplers.emplace_back(*request.algorithm, options, request.track_max_steps);
  check_fits(*sampler, request);
  return sampler;
}

clrs::Batch next_batch(ClrsSampler& sampler) {
  const std::lock_guard lock(sampler.mutex);
  auto& turn = sampler.samplers[sampler.drawn % sampler.samplers.size()];
  auto batch = turn.next(sampler.batch);
  ++sampler.drawn;
  return batch;
}

std::string position_of(ClrsSampler& sampler) {
  const std::lock_guard lock(sampler.mutex);
  auto positions = json::array();
  for (const auto& one : sampler.samplers) positions.push_back(position_json(one.position()));
  return json{{"drawn", sampler.drawn}, {"samplers", positions}}.dump();
}

std::shared_ptr<ClrsSampler> resume_sampler(const SamplerRequest& request,
                                            std::string_view position) {
  const auto stored = parse_object(position);
  try {
    auto sampler = std::make_shared<ClrsSampler>();
    sampler->batch = request.batch;
    sampler->drawn = stored.at("drawn");
    const auto& positions = stored.at("samplers");
    const auto all = options_of(request);
    if (positions.size() != all.size() || sampler->drawn < 0)
      throw Error("this position is one of {} sizes; the options name {}", positions.size(),
                  all.size());
    for (std::size_t k = 0; k < all.size(); ++k)
      sampler->samplers.emplace_back(*request.algorithm, all[k], request.track_max_steps,
                                     position_from(positions.at(k)));
    check_fits(*sampler, request);
    return sampler;
  } catch (const json::exception& error) {
    throw Error("this is not a position of a sampler: {}", error.what());
  }
}

}  // namespace npq::c
