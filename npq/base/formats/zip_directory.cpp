#include "npq/base/formats/zip_directory.h"

#include <set>
#include <utility>

#include "npq/base/formats/byte_cursor.h"
#include "npq/base/formats/zip_format.h"
#include "npq/base/printable.h"

namespace npq {
namespace {

using namespace zip;

template <class... Args>
[[noreturn]] void fail(const std::string& file, fmt::format_string<Args...> format,
                       Args&&... args) {
  throw Error("'{}' is not a sound zip archive: {}; copy or save it again", file,
              fmt::format(format, std::forward<Args>(args)...));
}

// Where the directory lies and how many entries it has.
struct Directory {
  std::uint64_t entries = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint64_t end = 0;  // where it must end: the first byte of the record that describes it
};

Directory find_directory64(std::span<const std::byte> bytes, std::uint64_t locator_at,
                           const std::string& file) {
  ByteCursor locator(bytes.subspan(locator_at), file);
  locator.u32();
  const auto disk = locator.u32();
  const auto record_at = locator.u64();
  const auto disks = locator.u32();
  if (disk != 0 || disks != 1) fail(file, "it has several volumes");
  if (locator_at < kEndOfDirectory64Bytes || record_at != locator_at - kEndOfDirectory64Bytes) {
    fail(file, "its zip64 record is not where it should be");
  }
  ByteCursor record(bytes.subspan(record_at), file);
  if (record.u32() != kEndOfDirectory64 || record.u64() != kEndOfDirectory64Bytes - 12) {
    fail(file, "its zip64 record is damaged");
  }
  record.take(4);  // versions made by and needed
  if (record.u32() != 0 || record.u32() != 0) fail(file, "it has several volumes");
  Directory directory;
  const auto here = record.u64();
  directory.entries = record.u64();
  if (here != directory.entries) fail(file, "it has several volumes");
  directory.size = record.u64();
  directory.offset = record.u64();
  directory.end = record_at;
  return directory;
}

Directory find_directory(std::span<const std::byte> bytes, const std::string& file) {
  if (bytes.size() < kEndOfDirectoryBytes) fail(file, "it has only {} bytes", bytes.size());
  const std::uint64_t at = bytes.size() - kEndOfDirectoryBytes;
  ByteCursor cursor(bytes.subspan(at), file);
  if (cursor.u32() != kEndOfDirectory) fail(file, "it does not end with a zip directory");
  if (cursor.u16() != 0 || cursor.u16() != 0) fail(file, "it has several volumes");
  const auto here = cursor.u16();
  Directory directory;
  directory.entries = cursor.u16();
  directory.size = cursor.u32();
  directory.offset = cursor.u32();
  directory.end = at;
  if (here != directory.entries) fail(file, "it has several volumes");
  if (cursor.u16() != 0) fail(file, "it ends with a comment");
  const bool full =
      directory.entries == kFull16 || directory.size == kFull32 || directory.offset == kFull32;
  const std::uint64_t locator_at = at < kLocator64Bytes ? at : at - kLocator64Bytes;
  if (ByteCursor(bytes.subspan(locator_at), file).u32() != kLocator64) {
    if (full) fail(file, "its zip64 record is missing");
    return directory;
  }
  const Directory wide = find_directory64(bytes, locator_at, file);
  // PyTorch writes a zip64 record even if not needed; then both must agree.
  if (!full && (wide.entries != directory.entries || wide.size != directory.size ||
                wide.offset != directory.offset)) {
    fail(file, "its two directories disagree");
  }
  return wide;
}

// The fields that local header and directory share.
struct Fields {
  std::uint16_t flags;
  std::uint16_t method;
  std::uint32_t crc;
  std::uint64_t packed_size;
  std::uint64_t size;
};

Fields read_fields(ByteCursor& cursor) {
  Fields fields;
  fields.flags = cursor.u16();
  fields.method = cursor.u16();
  cursor.take(4);  // time and date
  fields.crc = cursor.u32();
  fields.packed_size = cursor.u32();
  fields.size = cursor.u32();
  return fields;
}

// Replaces full 32-bit fields by the 64-bit ones of the extra field. In the directory only those
// that are full have one; a local header has all of them, and Python then repeats small sizes in
// both places.
enum class Extra { WhereFull, All };
void read_extra(std::span<const std::byte> extra, Extra which,
                std::initializer_list<std::uint64_t*> values, const std::string& file) {
  ByteCursor cursor(extra, file);
  bool seen = false;
  while (cursor.remaining() > 0) {
    const auto id = cursor.u16();
    const auto content = cursor.take(cursor.u16());
    if (id != kExtra64) continue;
    if (std::exchange(seen, true)) fail(file, "an entry has two zip64 fields");
    ByteCursor numbers(content, file);
    for (auto* value : values) {
      if (which == Extra::WhereFull && *value != kFull32) continue;
      const auto wide = numbers.u64();
      if (*value != kFull32 && *value != wide) fail(file, "an entry has two different sizes");
      *value = wide;
    }
    if (numbers.remaining() > 0) fail(file, "an entry has a zip64 field of the wrong size");
  }
}

ZipEntry read_entry(ByteCursor& cursor, const std::string& file, StreamedEntries streamed) {
  if (cursor.u32() != kDirectoryEntry) fail(file, "its directory is damaged");
  cursor.take(4);  // versions made by and needed
  Fields fields = read_fields(cursor);
  const auto name_length = cursor.u16();
  const auto extra_length = cursor.u16();
  const auto comment_length = cursor.u16();
  if (cursor.u16() != 0) fail(file, "it has several volumes");
  cursor.take(6);  // attributes
  std::uint64_t offset = cursor.u32();
  ZipEntry entry;
  entry.name = cursor.text(name_length);
  read_extra(cursor.take(extra_length), Extra::WhereFull,
             {&fields.size, &fields.packed_size, &offset}, file);
  if (comment_length != 0) fail(file, "entry '{}' has a comment", printable(entry.name));
  if (entry.name.find('\0') != std::string::npos) {
    fail(file, "the name '{}' contains a NUL", printable(entry.name));
  }
  entry.streamed = (fields.flags & kFlagStreamed) != 0;
  const int known = streamed == StreamedEntries::Read ? kFlagUtf8 | kFlagStreamed : kFlagUtf8;
  if ((fields.flags & ~known) != 0) {
    fail(file, "entry '{}' is encrypted or streamed (flags {:#x})", printable(entry.name),
         fields.flags);
  }
  if (fields.method != kStored && fields.method != kDeflated) {
    fail(file, "entry '{}' is packed by method {}; stored and deflated are read here",
         printable(entry.name), fields.method);
  }
  entry.method = fields.method == kStored ? ZipEntry::Method::Stored : ZipEntry::Method::Deflated;
  entry.crc = fields.crc;
  entry.packed_size = fields.packed_size;
  entry.size = fields.size;
  entry.header_offset = offset;
  return entry;
}

// What follows the data of a streamed entry: its CRC and sizes, in 32 or in 64 bits.
void check_descriptor(ByteCursor& cursor, const ZipEntry& entry, const std::string& file) {
  const auto fits = [&](bool wide) {
    ByteCursor trial = cursor;
    if (trial.u32() != kDataDescriptor || trial.u32() != entry.crc) return false;
    const std::uint64_t packed = wide ? trial.u64() : trial.u32();
    const std::uint64_t size = wide ? trial.u64() : trial.u32();
    return packed == entry.packed_size && size == entry.size;
  };
  const bool narrow = fits(/*wide=*/false);
  if (!narrow && !fits(/*wide=*/true))
    fail(file, "entry '{}' is not followed by its sizes", printable(entry.name));
  cursor.take(narrow ? 16 : 24);
}

// Compares the local header with the directory's entry and returns where its data end.
std::uint64_t check_local_header(std::span<const std::byte> bytes, ZipEntry& entry,
                                 const std::string& file) {
  const std::string name = printable(entry.name);
  ByteCursor cursor(bytes.subspan(static_cast<std::size_t>(entry.header_offset)), file);
  if (cursor.u32() != kLocalHeader) fail(file, "entry '{}' has no header of its own", name);
  cursor.take(2);  // version needed
  Fields fields = read_fields(cursor);
  const auto name_length = cursor.u16();
  const auto extra_length = cursor.u16();
  const auto local_name = cursor.text(name_length);
  read_extra(cursor.take(extra_length), Extra::All, {&fields.size, &fields.packed_size}, file);
  const bool stored = entry.method == ZipEntry::Method::Stored;
  const bool streamed = (fields.flags & kFlagStreamed) != 0;
  if (streamed && entry.streamed && fields.crc == 0 && fields.packed_size == 0 &&
      fields.size == 0) {
    fields.crc = entry.crc;
    fields.packed_size = entry.packed_size;
    fields.size = entry.size;
  }
  if (local_name != entry.name || (fields.flags & ~(kFlagUtf8 | kFlagStreamed)) != 0 ||
      streamed != entry.streamed || fields.method != (stored ? kStored : kDeflated) ||
      fields.crc != entry.crc || fields.packed_size != entry.packed_size ||
      fields.size != entry.size) {
    fail(file, "header and directory disagree about entry '{}'", name);
  }
  if (stored && entry.packed_size != entry.size) {
    fail(file, "entry '{}' is stored, but its two sizes differ", name);
  }
  // Deflate cannot compress better than 1032 to 1: a larger claim would only exhaust our memory.
  if (!stored && entry.size / 1032 > entry.packed_size) {
    fail(file, "entry '{}' claims {} bytes from {}", name, entry.size, entry.packed_size);
  }
  entry.data_offset = entry.header_offset + cursor.position();
  cursor.take(entry.packed_size);
  if (entry.streamed) check_descriptor(cursor, entry, file);
  return entry.header_offset + cursor.position();
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(std::span<const std::byte> bytes, const std::string& file,
                                         StreamedEntries streamed) {
  const Directory directory = find_directory(bytes, file);
  if (directory.offset > directory.end || directory.size != directory.end - directory.offset) {
    fail(file, "its directory is not where it should be");
  }
  ByteCursor cursor(bytes.subspan(directory.offset, directory.size), file);
  std::vector<ZipEntry> entries;
  std::set<std::string> names;
  std::uint64_t position = 0;
  const auto data = bytes.first(directory.offset);
  while (cursor.remaining() > 0) {
    ZipEntry entry = read_entry(cursor, file, streamed);
    if (!names.insert(entry.name).second) fail(file, "it names '{}' twice", printable(entry.name));
    if (entry.header_offset != position) {
      fail(file, "entry '{}' does not follow the one before it", printable(entry.name));
    }
    position = check_local_header(data, entry, file);
    entries.push_back(std::move(entry));
  }
  if (entries.size() != directory.entries) {
    fail(file, "it has {} entries, but announces {}", entries.size(), directory.entries);
  }
  if (position != directory.offset)
    fail(file, "bytes lie between its last entry and its directory");
  return entries;
}

}  // namespace npq
