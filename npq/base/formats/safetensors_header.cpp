#include "npq/base/formats/safetensors_header.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "npq/base/error.h"
#include "npq/base/formats/json_events.h"
#include "npq/base/printable.h"

namespace npq {
namespace {

using Json = nlohmann::json;

// Receives the events of nlohmann's parser. A tree of values would silently keep one of two equal
// names and would grow with whatever the file nests; the events show every name, and what is not
// expected ends the reading at once.
class HeaderReader final : public nlohmann::json_sax<Json> {
 public:
  HeaderReader(const std::string& file, SafetensorsHeader& header) : file_(file), header_(header) {}

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a truth value"); }
  bool number_float(double, const std::string&) override {
    return unexpected("a number that is not a whole number below 2^63");
  }
  bool number_integer(std::int64_t value) override {
    return unexpected(fmt::format("the negative number {}", value));
  }
  bool binary(Json::binary_t&) override { return unexpected("binary data"); }

  bool number_unsigned(std::uint64_t value) override {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return unexpected("a number that is not a whole number below 2^63");
    }
    if (place_ == Place::Shape) {
      tensor().shape.push_back(static_cast<std::int64_t>(value));
    } else if (place_ == Place::Offsets && offsets_ < 2) {
      (offsets_++ == 0 ? tensor().begin : tensor().end) = value;
    } else {
      return unexpected("a number");
    }
    return true;
  }

  bool string(std::string& text) override {
    if (place_ == Place::MetadataValue) {
      header_.metadata[metadata_key_] = std::move(text);
      place_ = Place::Metadata;
      return true;
    }
    if (place_ != Place::Dtype) return unexpected("a text");
    const auto dtype = dtype_named(text);
    if (!dtype) fail(fmt::format("has the unknown dtype '{}'", printable(text)));
    tensor().dtype = *dtype;
    place_ = Place::Tensor;
    return true;
  }

  bool start_object(std::size_t) override {
    switch (place_) {
      case Place::Start:
        place_ = Place::Top;
        return true;
      case Place::TopValue:
        place_ = in_metadata_ ? Place::Metadata : Place::Tensor;
        return true;
      default:
        return unexpected("an object");
    }
  }

  bool key(std::string& name) override {
    if (name.find('\0') != std::string::npos) {
      fail_safetensors(file_, fmt::format("the name '{}' contains a NUL", printable(name)));
    }
    if (place_ == Place::Top) {
      start_entry(std::move(name));
    } else if (place_ == Place::Metadata) {
      if (header_.metadata.contains(name)) {
        fail_safetensors(file_, fmt::format("its metadata name '{}' twice", printable(name)));
      }
      metadata_key_ = std::move(name);
      place_ = Place::MetadataValue;
    } else {
      start_field(name);
    }
    return true;
  }

  bool end_object() override {
    if (place_ == Place::Tensor && fields_.size() < 3) {
      fail("lacks one of dtype, shape and data_offsets");
    }
    place_ = place_ == Place::Top ? Place::End : Place::Top;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ == Place::ShapeValue) {
      place_ = Place::Shape;
    } else if (place_ == Place::OffsetsValue) {
      place_ = Place::Offsets;
    } else {
      return unexpected("a list");
    }
    return true;
  }

  bool end_array() override {
    if (place_ == Place::Offsets && offsets_ != 2) fail("needs two data_offsets");
    place_ = Place::Tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    fail_safetensors(file_, fmt::format("its header is not valid JSON at byte {}", position));
  }

 private:
  enum class Place {
    Start,
    Top,
    TopValue,
    Metadata,
    MetadataValue,
    Tensor,
    Dtype,
    ShapeValue,
    Shape,
    OffsetsValue,
    Offsets,
    End
  };

  TensorInfo& tensor() { return header_.tensors.back(); }

  void start_entry(std::string name) {
    if (!names_.insert(name).second) {
      fail_safetensors(file_, fmt::format("it names '{}' twice", printable(name)));
    }
    in_metadata_ = name == kMetadataKey;
    if (!in_metadata_) header_.tensors.push_back({.name = std::move(name), .dtype = Dtype::U8});
    fields_.clear();
    offsets_ = 0;
    place_ = Place::TopValue;
  }

  void start_field(const std::string& name) {
    if (!fields_.insert(name).second) fail(fmt::format("has '{}' twice", printable(name)));
    if (name == "dtype") {
      place_ = Place::Dtype;
    } else if (name == "shape") {
      place_ = Place::ShapeValue;
    } else if (name == "data_offsets") {
      place_ = Place::OffsetsValue;
    } else {
      fail(fmt::format("has the unknown property '{}'", printable(name)));
    }
  }

  [[noreturn]] void fail(const std::string& reason) const {
    fail_safetensors(file_,
                     fmt::format("tensor '{}' {}", printable(header_.tensors.back().name), reason));
  }

  [[noreturn]] bool unexpected(const std::string& what) const {
    if (place_ == Place::Start) fail_safetensors(file_, "its header is not a JSON object");
    if (in_metadata_) {
      fail_safetensors(file_, fmt::format("its metadata '{}' hold {}, not text",
                                          printable(metadata_key_), what));
    }
    switch (place_) {
      case Place::Dtype:
        fail(fmt::format("has {} for a dtype", what));
      case Place::ShapeValue:
      case Place::Shape:
        fail(fmt::format("has {} in its shape", what));
      case Place::OffsetsValue:
      case Place::Offsets:
        fail(fmt::format("has {} in its data_offsets, not begin and end", what));
      default:
        fail(fmt::format("is {}, not an object", what));
    }
  }

  const std::string& file_;
  SafetensorsHeader& header_;
  Place place_ = Place::Start;
  bool in_metadata_ = false;
  std::string metadata_key_;
  std::set<std::string> names_;
  std::set<std::string> fields_;
  int offsets_ = 0;
};

}  // namespace

void fail_safetensors(const std::string& file, const std::string& reason) {
  throw Error("'{}' is not a sound safetensors file: {}; copy or write it again", file, reason);
}

SafetensorsHeader parse_safetensors_header(std::string_view json, const std::string& file) {
  // The format allows blanks after the object, and nothing before it.
  const auto last = json.find_last_not_of(' ');
  if (json.empty() || json.front() != '{' || json[last] != '}') {
    fail_safetensors(file, "its header is not a JSON object padded with blanks");
  }
  SafetensorsHeader header;
  HeaderReader reader(file, header);
  read_json_events(json.substr(0, last + 1), reader);
  return header;
}

}  // namespace npq
