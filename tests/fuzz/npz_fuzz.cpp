// Any bytes are either a sound archive of arrays, all of which can be read, or one npq::Error. A
// checksum stops most damage at the archive's door, so the same bytes also go to the reader of a
// single array.
#include "npq/base/error.h"
#include "npq/base/formats/npy.h"
#include "npq/base/formats/npz.h"

namespace {

void check(const npq::ArrayData& array) {
  NPQ_ASSERT(array.bytes.size() == npq::array_bytes(array.dtype, array.shape));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const auto file = npq::NpzFile::from_bytes(bytes, "fuzz");
    for (const auto& name : file.names()) check(file.read(name));
  } catch (const npq::Error&) {
  }
  try {
    const auto header = npq::read_npy_header(bytes, "fuzz");
    NPQ_ASSERT(bytes.size() - header.size == npq::array_bytes(header.dtype, header.shape));
  } catch (const npq::Error&) {
  }
  return 0;
}
