#include "npq/base/error.h"
#include "npq/base/files/mapped_file.h"
#include "npq/base/formats/zip_directory.h"
#include "npq/peptides/torch_file.h"

namespace npq::peptides {
namespace {

/// train.pt, val.pt and test.pt as bytes, from a folder or an archive.
class Source {
 public:
  explicit Source(const std::filesystem::path& path) : path_(path) {
    if (std::filesystem::is_directory(path)) return;
    archive_ = MappedFile(path);
    entries_ = read_zip_directory(archive_.bytes(), path.string(), StreamedEntries::Read);
  }

  Featurised read(const std::string& file) const {
    if (entries_.empty()) {
      const MappedFile content(path_ / file);
      return read_featurised(content.bytes(), (path_ / file).string());
    }
    for (const auto& entry : entries_) {
      if (entry.name != file && !entry.name.ends_with("/" + file)) continue;
      const auto content = read_zip_entry(archive_.bytes(), entry, path_.string());
      return read_featurised(content, path_.string() + ":" + file);
    }
    throw Error("'{}' holds no {}; expected train.pt, val.pt and test.pt as PyG publishes them",
                path_.string(), file);
  }

 private:
  std::filesystem::path path_;
  MappedFile archive_;
  std::vector<ZipEntry> entries_;
};

}  // namespace

Dataset read_featurised_splits(const std::filesystem::path& path, const Progress& progress) {
  const Source source(path);
  Dataset dataset;
  for (std::size_t part = 0; part < 3; ++part) {
    auto given = source.read(std::string(kPartNames[part]) + ".pt");
    for (std::size_t k = 0; k < given.graphs.size(); ++k) {
      dataset.split.parts[part].push_back(static_cast<std::int64_t>(dataset.graphs.size()));
      dataset.graphs.push_back(std::move(given.graphs[k]));
      dataset.targets.push_back(given.targets[k]);
    }
    if (progress) progress(static_cast<std::int64_t>(part) + 1, 3);
  }
  dataset.deviation.fill(1);
  dataset.about = {{"source", path.filename().string()}, {"chemistry", "featurised elsewhere"}};
  return dataset;
}

}  // namespace npq::peptides
