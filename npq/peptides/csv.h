#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace npq::peptides {

/// The next bytes of a text, put into the buffer; returns how many, 0 at the end.
using ByteSource = std::function<std::size_t(std::span<char> buffer)>;

/// The bytes of a file, unpacked if it is gzip. A truncated or damaged gzip is an Error, when the
/// reader comes to it.
ByteSource open_text(const std::string& path);

/// Comma-separated values as pandas writes them: fields may be quoted, and then hold commas, line
/// breaks and doubled quotes. Nothing but the present row is kept, and of that only the columns
/// asked for: others may be of any length.
class CsvReader {
 public:
  CsvReader(ByteSource source, std::string name);

  /// The fields of the next line, empty at the end of the text. Lines without anything are passed
  /// over. Only columns with a mark are kept (all without marks), each at most `longest`
  /// characters.
  std::vector<std::string> next(const std::vector<bool>& wanted = {},
                                std::size_t longest = 1'000'000);

  /// How many lines next() has given, the header counted: row r is line r + 2 for a person.
  std::int64_t lines() const { return lines_; }

 private:
  int peek();
  int take();
  std::string where() const;
  void take_field(std::string* field, std::size_t longest);

  ByteSource source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, size_ = 0;
  std::int64_t lines_ = 0;
};

}  // namespace npq::peptides
