// Any text is either an input that its algorithm runs on to the end, or one npq::Error. The first
// byte chooses the algorithm.
#include <nlohmann/json.hpp>
#include <string>

#include "npq/base/error.h"
#include "npq/clrs/samplers/inputs_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto algorithms = npq::clrs::catalog();
  const auto& algorithm = algorithms[data[0] % algorithms.size()];
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto inputs = npq::clrs::parse_inputs(algorithm, text, "fuzz");
    npq::clrs::Trace trace(algorithm.spec());
    algorithm.run(inputs, trace);
    NPQ_ASSERT(trace.finish().length() >= 1);
  } catch (const npq::Error&) {
  }
  return 0;
}
