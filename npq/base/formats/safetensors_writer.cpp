#include "npq/base/formats/safetensors_writer.h"

#include <fmt/ranges.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/formats/safetensors_header.h"
#include "npq/base/printable.h"

namespace npq {
namespace {

// JSON text of one string; what is not UTF-8 cannot be written.
std::string quoted(const std::string& text, const std::filesystem::path& path) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw Error("cannot write '{}': the text '{}' is not UTF-8; rename it", path.string(),
                printable(text));
  }
}

}  // namespace

SafetensorsWriter::SafetensorsWriter(std::filesystem::path path,
                                     std::map<std::string, std::string> metadata)
    : file_(std::move(path)), metadata_(std::move(metadata)) {}

void SafetensorsWriter::declare(std::string name, Dtype dtype, std::vector<std::int64_t> shape) {
  NPQ_ASSERT(!begun_);
  const auto fail = [&](std::string_view reason) {
    throw Error("cannot write tensor '{}' of shape [{}] to '{}': {}", printable(name),
                fmt::join(shape, ", "), file_.path().string(), reason);
  };
  if (name.find('\0') != std::string::npos) fail("its name contains a NUL; rename it");
  if (name == kMetadataKey) fail("the format keeps this name for itself; rename the tensor");
  if (!index_.emplace(name, tensors_.size()).second) fail("there is one of that name already");
  const auto bytes = array_bytes(dtype, shape);
  if (!bytes || *bytes > std::numeric_limits<std::int64_t>::max() - declared_) {
    fail("dimensions must not be negative, and all bytes together must stay below 2^63");
  }
  tensors_.push_back({.name = std::move(name),
                      .dtype = dtype,
                      .shape = std::move(shape),
                      .begin = declared_,
                      .end = declared_ + *bytes});
  declared_ += *bytes;
}

void SafetensorsWriter::begin() {
  NPQ_ASSERT(!begun_);
  begun_ = true;
  std::vector<std::string> entries;
  if (!metadata_.empty()) {
    std::vector<std::string> texts;
    for (const auto& [key, text] : metadata_) {
      texts.push_back(quoted(key, file_.path()) + ":" + quoted(text, file_.path()));
    }
    entries.push_back(fmt::format("\"{}\":{{{}}}", kMetadataKey, fmt::join(texts, ",")));
  }
  for (const auto& tensor : tensors_) {
    entries.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                  quoted(tensor.name, file_.path()), dtype_name(tensor.dtype),
                                  fmt::join(tensor.shape, ","), tensor.begin, tensor.end));
  }
  std::string header = fmt::format("{{{}}}", fmt::join(entries, ","));
  header.resize((header.size() + 7) / 8 * 8, ' ');
  if (header.size() > kLargestSafetensorsHeader) {
    throw Error("cannot write '{}': names and metadata take {} bytes, the format allows {}",
                file_.path().string(), header.size(), kLargestSafetensorsHeader);
  }
  const std::uint64_t length = header.size();
  file_.write(std::as_bytes(std::span(&length, 1)));
  file_.write(header);
}

void SafetensorsWriter::append(std::span<const std::byte> bytes) {
  NPQ_ASSERT(begun_);
  if (bytes.size() > declared_ - appended_) {
    throw Error("'{}' was declared with {} bytes of tensors, but more are being written",
                file_.path().string(), declared_);
  }
  file_.write(bytes);
  appended_ += bytes.size();
}

void SafetensorsWriter::commit() {
  NPQ_ASSERT(begun_);
  if (appended_ != declared_) {
    throw Error("'{}' was declared with {} bytes of tensors, but only {} were written",
                file_.path().string(), declared_, appended_);
  }
  file_.commit();
}

void write_safetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                       std::map<std::string, std::string> metadata) {
  SafetensorsWriter writer(path, std::move(metadata));
  for (const auto& tensor : tensors) {
    if (array_bytes(tensor.dtype, tensor.shape) != tensor.bytes.size()) {
      throw Error(
          "cannot write tensor '{}' of shape [{}] and dtype {} to '{}': {} bytes do not fit it",
          printable(tensor.name), fmt::join(tensor.shape, ", "), dtype_name(tensor.dtype),
          path.string(), tensor.bytes.size());
    }
    writer.declare(tensor.name, tensor.dtype, tensor.shape);
  }
  writer.begin();
  for (const auto& tensor : tensors) writer.append(tensor.bytes);
  writer.commit();
}

}  // namespace npq
