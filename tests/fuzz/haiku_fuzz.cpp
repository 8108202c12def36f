// Any bytes are either a checkpoint whose arrays fill their shapes, or one npq::Error.
#include "npq/base/error.h"
#include "npq/train/haiku/haiku_pickle.h"

namespace {

void check(const npq::train::HaikuArrays& arrays) {
  for (const auto& [module, leaves] : arrays) {
    for (const auto& [leaf, array] : leaves) {
      std::size_t elements = 1;
      for (const auto size : array.shape) elements *= static_cast<std::size_t>(size);
      NPQ_ASSERT(array.values.size() == elements);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto pickle = npq::train::read_haiku_pickle(std::as_bytes(std::span(data, size)), "fuzz");
    check(pickle.parameters);
    if (!pickle.adam) return 0;
    check(pickle.adam->m);
    check(pickle.adam->v);
  } catch (const npq::Error&) {
  }
  return 0;
}
