#include <zlib.h>

#include <cerrno>
#include <memory>

#include "npq/base/error.h"
#include "npq/base/files/file_error.h"
#include "npq/base/files/mapped_file.h"
#include "npq/peptides/csv.h"

namespace npq::peptides {

ByteSource open_text(const std::string& path) {
  // Says what is wrong with a folder or a missing file.
  [[maybe_unused]] const MappedFile readable{std::filesystem::path(path)};
  std::shared_ptr<gzFile_s> file(gzopen(path.c_str(), "rb"), [](gzFile f) {
    if (f != nullptr) gzclose(f);
  });
  if (!file) throw file_error("read", path, errno);
  gzbuffer(file.get(), 1 << 17);
  return [file, path](std::span<char> buffer) -> std::size_t {
    const int got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
    int status = Z_OK;
    const char* why = gzerror(file.get(), &status);
    // Bytes that end before the gzip does are first given out as if all were well.
    if (got < 0 || status == Z_BUF_ERROR || status == Z_DATA_ERROR)
      throw Error("'{}' cannot be unpacked ({}); it is damaged or incomplete, fetch it again", path,
                  status == Z_BUF_ERROR ? "it ends too early" : why);
    return static_cast<std::size_t>(got);
  };
}

}  // namespace npq::peptides
