#include <zlib.h>

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/formats/zip_directory.h"
#include "npq/base/printable.h"

namespace npq {
namespace {

void inflate_all(std::span<const std::byte> packed, std::span<std::byte> target,
                 const ZipEntry& entry, const std::string& file) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw Error("zlib cannot start: out of memory");
  int status = Z_OK;
  std::size_t taken = 0;
  std::size_t given = 0;
  // zlib counts in 32 bits, so it works on pieces. Both sides get everything that is left; it stops
  // by itself.
  while (status == Z_OK) {
    constexpr std::size_t kPiece = std::size_t{1} << 30;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + taken));
    stream.avail_in = static_cast<uInt>(std::min(kPiece, packed.size() - taken));
    // A place even if nothing is expected: zlib insists on a pointer.
    Bytef nothing;
    stream.next_out = target.empty() ? &nothing : reinterpret_cast<Bytef*>(target.data() + given);
    stream.avail_out = static_cast<uInt>(std::min(kPiece, target.size() - given));
    const auto in = stream.avail_in;
    const auto out = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    given += out - stream.avail_out;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || taken != packed.size() || given != target.size()) {
    throw Error("entry '{}' of '{}' does not inflate to {} bytes; copy or save the file again",
                printable(entry.name), file, entry.size);
  }
}

}  // namespace

std::vector<std::byte> read_zip_entry(std::span<const std::byte> bytes, const ZipEntry& entry,
                                      const std::string& file) {
  const auto packed = bytes.subspan(entry.data_offset, entry.packed_size);
  std::vector<std::byte> content;
  if (entry.method == ZipEntry::Method::Stored) {
    content.assign(packed.begin(), packed.end());
  } else {
    content.resize(entry.size);
    inflate_all(packed, content, entry, file);
  }
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  if (crc != entry.crc) {
    throw Error("entry '{}' of '{}' does not match its checksum; copy or save the file again",
                printable(entry.name), file);
  }
  return content;
}

}  // namespace npq
