#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "npq/clrs/dataset/dataset.h"

// Options that come as JSON text.
namespace npq::c {

struct GenerateRequest {
  const clrs::Algorithm* algorithm;
  clrs::GenerateOptions options;
};

struct SamplerRequest {
  const clrs::Algorithm* algorithm;
  clrs::GenerateOptions options;  // without a length
  std::vector<int> sizes;
  int batch = 32;
  bool track_max_steps = true;
};

/// An object; anything else is a UsageError.
nlohmann::json parse_object(std::string_view text);

/// Unknown options, values of another type and values out of range are UsageErrors.
GenerateRequest generate_request(std::string_view text);
SamplerRequest sampler_request(std::string_view text);

}  // namespace npq::c
