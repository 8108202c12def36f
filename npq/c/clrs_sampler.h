#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "npq/c/clrs_options.h"
#include "npq/c/clrs_things.h"

// An endless stream of batches; sizes alternate.
namespace npq::c {

std::shared_ptr<ClrsSampler> make_sampler(const SamplerRequest& request);
clrs::Batch next_batch(ClrsSampler& sampler);

/// Where the sampler stands, as JSON; and one of the same request that goes on from there.
std::string position_of(ClrsSampler& sampler);
std::shared_ptr<ClrsSampler> resume_sampler(const SamplerRequest& request,
                                            std::string_view position);

}  // namespace npq::c
