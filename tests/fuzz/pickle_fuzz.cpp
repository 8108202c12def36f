// Any bytes are either a tree of values that can be walked to its end, or one npq::Error.
#include <span>

#include "npq/base/error.h"
#include "npq/base/pickle/pickle_numpy.h"

namespace {

const npq::PickleOptions kOptions = [] {
  npq::PickleOptions options{
      .globals = npq::numpy_globals(), .persistent_ids = true, .most_values = 100'000};
  options.globals.push_back("m.f");
  return options;
}();

// Returns the number of values, so that no walk can be optimised away.
std::size_t walk(const npq::PickleValue& value) {
  std::size_t count = 1 + value.text.size();
  if (npq::is_numpy_array(value)) {
    try {
      const auto array = npq::numpy_array(value, "an array");
      NPQ_ASSERT(array.bytes.size() == npq::array_bytes(array.dtype, array.shape));
    } catch (const npq::Error&) {
    }
  }
  if (value.args != nullptr) count += walk(*value.args);
  if (value.state != nullptr) count += walk(*value.state);
  for (const auto* item : value.items) count += walk(*item);
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto pickle =
        npq::Pickle::from_bytes(std::as_bytes(std::span(data, size)), "fuzz", kOptions);
    NPQ_ASSERT(walk(pickle.root()) > 0);
  } catch (const npq::Error&) {
  }
  return 0;
}
