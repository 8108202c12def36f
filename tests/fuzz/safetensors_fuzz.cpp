// Any bytes are either a sound safetensors file, all of whose tensors can be read, or one
// npq::Error.
#include "npq/base/error.h"
#include "npq/base/formats/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto file =
        npq::SafetensorsFile::from_bytes(std::as_bytes(std::span(data, size)), "fuzz");
    std::uint64_t position = 0;
    for (const auto& tensor : file.tensors()) {
      NPQ_ASSERT(tensor.begin == position);
      NPQ_ASSERT(file.find(tensor.name) == &tensor);
      const auto bytes = file.bytes(tensor.name);
      NPQ_ASSERT(bytes.size() == npq::array_bytes(tensor.dtype, tensor.shape));
      if (tensor.dtype == npq::Dtype::F32) {
        NPQ_ASSERT(file.values<float>(tensor.name).size() == bytes.size() / 4);
      }
      position = tensor.end;
    }
  } catch (const npq::Error&) {
  }
  return 0;
}
