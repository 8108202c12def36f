#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace npq {

/// One file of a zip archive: where its bytes lie and what they must become.
struct ZipEntry {
  enum class Method { Stored, Deflated };
  std::string name;
  Method method = Method::Stored;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t header_offset = 0;  // of the local header
  std::uint64_t data_offset = 0;
  bool streamed = false;  // sizes and CRC lie behind the data
};

/// The entries of an archive as numpy writes it, zip64 included. Own code rather than a library,
/// because a library must be lenient: here the local headers must repeat what the directory says,
/// entries must follow each other without gap or overlap up to the directory, and names are unique;
/// so no byte of the archive has two meanings. Encryption, several volumes, comments and streamed
/// entries (sizes after the data) are refused; the latter are read where they are expected, since
/// PyTorch writes nothing else, and then the sizes after the data must be the directory's.
enum class StreamedEntries { Refused, Read };
std::vector<ZipEntry> read_zip_directory(std::span<const std::byte> bytes, const std::string& file,
                                         StreamedEntries streamed = StreamedEntries::Refused);

/// The content of an entry, inflated and compared with its CRC.
std::vector<std::byte> read_zip_entry(std::span<const std::byte> bytes, const ZipEntry& entry,
                                      const std::string& file);

}  // namespace npq
