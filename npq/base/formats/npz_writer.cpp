#include "npq/base/formats/npz_writer.h"

#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/formats/npy.h"
#include "npq/base/formats/zip_format.h"
#include "npq/base/printable.h"

namespace npq {
namespace {

using namespace zip;

constexpr std::uint16_t kDate = (0 << 9) | (1 << 5) | 1;  // 1 January 1980, the format's first day

// Numbers in the order they are written, without padding between them.
class Record {
 public:
  Record& u16(std::uint64_t value) { return put(static_cast<std::uint16_t>(value)); }
  Record& u32(std::uint64_t value) { return put(static_cast<std::uint32_t>(value)); }
  Record& u64(std::uint64_t value) { return put(value); }
  Record& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  Record& put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  std::string bytes_;
};

std::uint16_t method_number(const ZipEntry& entry) {
  return entry.method == ZipEntry::Method::Stored ? kStored : kDeflated;
}

// Sizes always stand in the zip64 field: they are not known yet when the header is written, and its
// length must not change when they are. numpy does the same.
std::string local_header(const ZipEntry& entry) {
  return Record()
      .u32(kLocalHeader)
      .u16(kVersion64)
      .u16(kFlagUtf8)
      .u16(method_number(entry))
      .u16(0)
      .u16(kDate)
      .u32(entry.crc)
      .u32(kFull32)
      .u32(kFull32)
      .u16(entry.name.size())
      .u16(20)
      .text(entry.name)
      .u16(kExtra64)
      .u16(16)
      .u64(entry.size)
      .u64(entry.packed_size)
      .bytes();
}

std::string directory_entry(const ZipEntry& entry) {
  Record extra;
  const auto narrow = [&](std::uint64_t value) -> std::uint64_t {
    if (value < kFull32) return value;
    extra.u64(value);
    return kFull32;
  };
  const auto size = narrow(entry.size);
  const auto packed_size = narrow(entry.packed_size);
  const auto offset = narrow(entry.header_offset);
  Record record;
  record.u32(kDirectoryEntry)
      .u16(kVersion64)
      .u16(kVersion64)
      .u16(kFlagUtf8)
      .u16(method_number(entry))
      .u16(0)
      .u16(kDate)
      .u32(entry.crc)
      .u32(packed_size)
      .u32(size)
      .u16(entry.name.size())
      .u16(extra.bytes().empty() ? 0 : extra.bytes().size() + 4)
      .u16(0)
      .u16(0)
      .u16(0)
      .u32(0)
      .u32(offset)
      .text(entry.name);
  if (!extra.bytes().empty()) record.u16(kExtra64).u16(extra.bytes().size()).text(extra.bytes());
  return record.bytes();
}

std::string end_of_directory(std::uint64_t entries, std::uint64_t size, std::uint64_t offset) {
  Record record;
  if (entries >= kFull16 || size >= kFull32 || offset >= kFull32) {
    record.u32(kEndOfDirectory64).u64(kEndOfDirectory64Bytes - 12).u16(kVersion64).u16(kVersion64);
    record.u32(0).u32(0).u64(entries).u64(entries).u64(size).u64(offset);
    record.u32(kLocator64).u32(0).u64(offset + size).u32(1);
  }
  const auto few = std::min<std::uint64_t>(entries, kFull16);
  record.u32(kEndOfDirectory).u16(0).u16(0).u16(few).u16(few);
  record.u32(std::min<std::uint64_t>(size, kFull32)).u32(std::min<std::uint64_t>(offset, kFull32));
  return record.u16(0).bytes();
}

}  // namespace

struct NpzWriter::Deflater {
  z_stream stream{};
  std::vector<std::byte> buffer = std::vector<std::byte>(1 << 18);

  Deflater() {
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error("zlib cannot start: out of memory");
    }
  }
  ~Deflater() { deflateEnd(&stream); }

  void run(std::span<const std::byte> bytes, bool last, AtomicFile& file,
           std::uint64_t& packed_size) {
    do {
      // zlib counts in 32 bits.
      const auto piece = bytes.first(std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
      bytes = bytes.subspan(piece.size());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(piece.data()));
      stream.avail_in = static_cast<uInt>(piece.size());
      do {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        deflate(&stream, last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
        const auto packed = std::span(buffer).first(buffer.size() - stream.avail_out);
        file.write(packed);
        packed_size += packed.size();
      } while (stream.avail_out == 0);
    } while (!bytes.empty());
    if (last) deflateReset(&stream);
  }
};

NpzWriter::NpzWriter(std::filesystem::path path, Packing packing)
    : file_(std::move(path)), packing_(packing) {
  if (packing_ == Packing::Deflated) deflater_ = std::make_unique<Deflater>();
}

NpzWriter::~NpzWriter() = default;

void NpzWriter::begin_array(const std::string& name, Dtype dtype, std::vector<std::int64_t> shape) {
  end_array();
  const auto fail = [&](std::string_view reason) {
    throw Error("cannot write array '{}' of shape ({}) to '{}': {}", printable(name),
                fmt::join(shape, ", "), file_.path().string(), reason);
  };
  if (name.find('\0') != std::string::npos) fail("its name contains a NUL; rename it");
  if (name.size() > 1000) fail("its name is longer than 1000 bytes; rename it");
  const auto bytes = array_bytes(dtype, shape);
  if (!bytes) fail("dimensions must not be negative, and its bytes must stay below 2^63");
  const std::string header = npy_header(dtype, shape);
  if (!names_.insert(name).second) fail("there is one of that name already");
  entries_.push_back({.name = name + ".npy", .method = packing_, .header_offset = file_.size()});
  file_.write(local_header(entries_.back()));
  open_ = true;
  announced_ = *bytes;
  write_content(std::as_bytes(std::span(header)));
}

void NpzWriter::append(std::span<const std::byte> bytes) {
  NPQ_ASSERT(open_);
  if (bytes.size() > announced_) {
    throw Error("array '{}' of '{}' gets {} bytes more than its shape holds",
                printable(entries_.back().name), file_.path().string(), bytes.size() - announced_);
  }
  write_content(bytes);
  announced_ -= bytes.size();
}

void NpzWriter::write_content(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;  // crc32 of no pointer means "start again"
  ZipEntry& entry = entries_.back();
  entry.crc = static_cast<std::uint32_t>(
      crc32_z(entry.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  entry.size += bytes.size();
  if (deflater_) {
    deflater_->run(bytes, /*last=*/false, file_, entry.packed_size);
  } else {
    file_.write(bytes);
    entry.packed_size += bytes.size();
  }
}

void NpzWriter::end_array() {
  if (!open_) return;
  ZipEntry& entry = entries_.back();
  if (announced_ != 0) {
    throw Error("array '{}' of '{}' still lacks {} bytes", printable(entry.name),
                file_.path().string(), announced_);
  }
  if (deflater_) deflater_->run({}, /*last=*/true, file_, entry.packed_size);
  file_.overwrite(entry.header_offset, local_header(entry));
  open_ = false;
}

void NpzWriter::add(const std::string& name, Dtype dtype, std::vector<std::int64_t> shape,
                    std::span<const std::byte> bytes) {
  begin_array(name, dtype, std::move(shape));
  append(bytes);
}

void NpzWriter::commit() {
  end_array();
  const std::uint64_t offset = file_.size();
  for (const auto& entry : entries_) file_.write(directory_entry(entry));
  file_.write(end_of_directory(entries_.size(), file_.size() - offset, offset));
  file_.commit();
}

}  // namespace npq
