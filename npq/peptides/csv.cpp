#include "npq/peptides/csv.h"

#include "npq/base/error.h"

namespace npq::peptides {
namespace {

constexpr int kEnd = -1;

bool ends_field(int c) { return c == ',' || c == '\n' || c == '\r' || c == kEnd; }

}  // namespace

CsvReader::CsvReader(ByteSource source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), buffer_(1 << 16) {}

int CsvReader::peek() {
  if (at_ == size_) {
    size_ = source_(buffer_);
    at_ = 0;
    if (size_ == 0) return kEnd;
  }
  return static_cast<unsigned char>(buffer_[at_]);
}

int CsvReader::take() {
  const int c = peek();
  if (c != kEnd) ++at_;
  return c;
}

std::string CsvReader::where() const {
  return lines_ == 0 ? fmt::format("'{}', header", name_)
                     : fmt::format("'{}', row {}", name_, lines_ - 1);
}

void CsvReader::take_field(std::string* field, std::size_t longest) {
  const auto keep = [&](int c) {
    if (field != nullptr && field->size() < longest) field->push_back(static_cast<char>(c));
  };
  if (peek() != '"') {
    while (!ends_field(peek())) keep(take());
    return;
  }
  take();
  for (;;) {
    const int c = take();
    if (c == kEnd)
      throw Error("{}: the text ends inside quotes; the file is incomplete, fetch it again",
                  where());
    if (c != '"') {
      keep(c);
    } else if (peek() == '"') {
      keep(take());
    } else {
      break;
    }
  }
  if (!ends_field(peek()))
    throw Error("{}: text follows a closing quote; expected a comma or the end of the line",
                where());
}

std::vector<std::string> CsvReader::next(const std::vector<bool>& wanted, std::size_t longest) {
  while (peek() == '\n' || peek() == '\r') take();
  std::vector<std::string> fields;
  if (peek() == kEnd) return fields;
  for (;;) {
    const auto column = fields.size();
    // A line of nothing but commas must not take memory without end.
    if (column > 100'000) throw Error("{}: more than 100000 columns", where());
    fields.emplace_back();
    const bool kept = wanted.empty() || (column < wanted.size() && wanted[column]);
    take_field(kept ? &fields.back() : nullptr, longest);
    if (peek() != ',') break;
    take();
  }
  if (take() == '\r' && peek() == '\n') take();
  ++lines_;
  return fields;
}

}  // namespace npq::peptides
