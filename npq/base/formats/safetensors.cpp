#include "npq/base/formats/safetensors.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "npq/base/formats/safetensors_header.h"
#include "npq/base/names.h"
#include "npq/base/printable.h"

static_assert(std::endian::native == std::endian::little, "the files are little-endian");

namespace npq {
namespace {

// The header's text, once its length is known to lie within the file.
std::string_view header_text(std::span<const std::byte> bytes, const std::string& file) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) {
    fail_safetensors(
        file, fmt::format("it has {} bytes, fewer than its header length takes", bytes.size()));
  }
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kLargestSafetensorsHeader) {
    fail_safetensors(file, fmt::format("it claims a header of {} bytes; the format allows {}",
                                       length, kLargestSafetensorsHeader));
  }
  if (length > bytes.size() - sizeof length) {
    fail_safetensors(
        file, fmt::format("its header should have {} bytes, but the file ends after {}", length,
                          bytes.size() - sizeof length));
  }
  return {reinterpret_cast<const char*>(bytes.data()) + sizeof length,
          static_cast<std::size_t>(length)};
}

// Dtype and shape must ask for exactly the bytes of the range, and the range must lie within the
// data.
void check_range(const TensorInfo& tensor, std::uint64_t available, const std::string& file) {
  const auto fail = [&](const std::string& reason) {
    fail_safetensors(file, fmt::format("tensor '{}' {}", printable(tensor.name), reason));
  };
  if (tensor.begin > tensor.end) {
    fail(fmt::format("begins at byte {} and ends before it, at {}", tensor.begin, tensor.end));
  }
  if (tensor.end > available) {
    fail(fmt::format("ends at byte {}, but the file has only {} bytes of data", tensor.end,
                     available));
  }
  const auto needed = array_bytes(tensor.dtype, tensor.shape);
  if (!needed) fail("has a shape too large for any memory");
  if (*needed != tensor.end - tensor.begin) {
    fail(fmt::format("needs {} bytes for its shape and dtype, but its range holds {}", *needed,
                     tensor.end - tensor.begin));
  }
}

// In the order of their bytes the tensors must follow each other without gap or overlap, up to the
// end of the file.
void check_layout(const std::vector<TensorInfo>& tensors, std::uint64_t available,
                  const std::string& file) {
  std::uint64_t position = 0;
  for (const auto& tensor : tensors) {
    if (tensor.begin != position) {
      fail_safetensors(
          file,
          fmt::format("tensor '{}' begins at byte {}, {} {}", printable(tensor.name), tensor.begin,
                      tensor.begin < position ? "inside another tensor that ends at"
                                              : "leaving a gap after",
                      position));
    }
    position = tensor.end;
  }
  if (position != available) {
    fail_safetensors(file, fmt::format("{} bytes follow its last tensor", available - position));
  }
}

}  // namespace

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& path) {
  SafetensorsFile result;
  result.name_ = path.string();
  result.file_ = MappedFile(path);
  result.parse(result.file_.bytes());
  return result;
}

SafetensorsFile SafetensorsFile::from_bytes(std::span<const std::byte> bytes, std::string name) {
  SafetensorsFile result;
  result.name_ = std::move(name);
  result.parse(bytes);
  return result;
}

void SafetensorsFile::parse(std::span<const std::byte> bytes) {
  const std::string_view text = header_text(bytes, name_);
  data_ = bytes.subspan(sizeof(std::uint64_t) + text.size());
  auto header = parse_safetensors_header(text, name_);
  for (const auto& tensor : header.tensors) check_range(tensor, data_.size(), name_);
  std::ranges::stable_sort(header.tensors, {}, [](const TensorInfo& tensor) {
    return std::tuple(tensor.begin, tensor.end);
  });
  check_layout(header.tensors, data_.size(), name_);
  tensors_ = std::move(header.tensors);
  metadata_ = std::move(header.metadata);
  for (std::size_t i = 0; i < tensors_.size(); ++i) index_.emplace(tensors_[i].name, i);
}

const TensorInfo* SafetensorsFile::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

const TensorInfo& SafetensorsFile::at(std::string_view name) const {
  if (const TensorInfo* info = find(name)) return *info;
  std::vector<std::string_view> known;
  for (const auto& tensor : tensors_) known.push_back(tensor.name);
  const std::string nearest = nearest_name(name, known);
  throw Error("'{}' has no tensor '{}'{}; it holds {} tensors", name_, name,
              nearest.empty() ? "" : fmt::format(", the nearest is '{}'", printable(nearest)),
              tensors_.size());
}

std::span<const std::byte> SafetensorsFile::bytes(std::string_view name) const {
  const TensorInfo& info = at(name);
  return data_.subspan(info.begin, info.end - info.begin);
}

void SafetensorsFile::fail_dtype(const TensorInfo& info, std::string_view asked) const {
  throw Error("tensor '{}' of '{}' has dtype {}; expected {}", printable(info.name), name_,
              dtype_name(info.dtype), asked);
}

}  // namespace npq
