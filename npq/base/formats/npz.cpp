#include "npq/base/formats/npz.h"

#include <utility>

#include "npq/base/formats/npy.h"
#include "npq/base/names.h"
#include "npq/base/printable.h"

namespace npq {

NpzFile NpzFile::open(const std::filesystem::path& path) {
  NpzFile result;
  result.name_ = path.string();
  result.file_ = MappedFile(path);
  result.parse(result.file_.bytes());
  return result;
}

NpzFile NpzFile::from_bytes(std::span<const std::byte> bytes, std::string name) {
  NpzFile result;
  result.name_ = std::move(name);
  result.parse(bytes);
  return result;
}

void NpzFile::parse(std::span<const std::byte> bytes) {
  constexpr std::string_view kSuffix = ".npy";
  bytes_ = bytes;
  entries_ = read_zip_directory(bytes, name_);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::string& name = entries_[i].name;
    if (!name.ends_with(kSuffix)) {
      throw Error("'{}' holds '{}', which is not a .npy array; expected a file of numpy.savez",
                  name_, printable(name));
    }
    names_.push_back(name.substr(0, name.size() - kSuffix.size()));
    index_.emplace(names_.back(), i);
  }
}

ArrayData NpzFile::read(std::string_view name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) {
    const std::vector<std::string_view> known(names_.begin(), names_.end());
    const std::string nearest = nearest_name(name, known);
    throw Error("'{}' has no array '{}'{}; it holds {} arrays", name_, name,
                nearest.empty() ? "" : fmt::format(", the nearest is '{}'", printable(nearest)),
                names_.size());
  }
  const ZipEntry& entry = entries_[found->second];
  auto content = read_zip_entry(bytes_, entry, name_);
  auto header = read_npy_header(content, fmt::format("{}:{}", name_, printable(entry.name)));
  content.erase(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(header.size));
  return {header.dtype, std::move(header.shape), std::move(content)};
}

}  // namespace npq
