#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>

#include "npq/clrs/samplers/samplers.h"
#include "tests/support/error_text.h"

namespace npq::clrs {

/// What a sampler draws from a seed, as the kind of inputs it makes.
template <class Kind>
Kind drawn(SampleFunction sample, std::uint32_t seed, int length,
           const SamplerOptions& options = {}) {
  random::RandomState random(seed);
  return std::get<Kind>(sample(random, length, options));
}

/// What a sampler says when it refuses.
inline std::string refusal(SampleFunction sample, int length, const SamplerOptions& options = {}) {
  random::RandomState random(1);
  const std::string text = test::error_text([&] { sample(random, length, options); });
  EXPECT_EQ(random.state(), random::RandomState(1).state()) << "a refused call must draw nothing";
  return text;
}

}  // namespace npq::clrs
