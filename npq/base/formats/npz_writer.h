#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "npq/base/files/atomic_file.h"
#include "npq/base/formats/dtype.h"
#include "npq/base/formats/zip_directory.h"

namespace npq {

/// Writes numpy's .npz as a stream, so that arrays of any size need no second copy in memory; zip64
/// is used wherever it is needed. The same arrays give the same bytes: no time of day is stored.
/// The file appears with commit().
///   NpzWriter file("data.npz", NpzWriter::Packing::Deflated);
///   file.begin_array("adj", Dtype::F32, {32, 16, 16});
///   file.append(std::as_bytes(std::span(adj)));
///   file.commit();
class NpzWriter {
 public:
  using Packing = ZipEntry::Method;

  explicit NpzWriter(std::filesystem::path path, Packing packing = Packing::Stored);
  ~NpzWriter();

  /// Starts the next array; all bytes of the one before must have come. Names are unique and
  /// without NUL.
  void begin_array(const std::string& name, Dtype dtype, std::vector<std::int64_t> shape);
  void append(std::span<const std::byte> bytes);
  /// A whole array at once.
  void add(const std::string& name, Dtype dtype, std::vector<std::int64_t> shape,
           std::span<const std::byte> bytes);
  /// Writes the directory and puts the file in place.
  void commit();

 private:
  struct Deflater;

  void write_content(std::span<const std::byte> bytes);
  void end_array();

  AtomicFile file_;
  Packing packing_;
  std::unique_ptr<Deflater> deflater_;
  std::vector<ZipEntry> entries_;
  std::set<std::string> names_;
  std::uint64_t announced_ = 0;  // bytes the current array still lacks
  bool open_ = false;
};

}  // namespace npq
