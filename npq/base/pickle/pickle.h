#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npq/base/files/mapped_file.h"

namespace npq {

/// One value of a Python pickle, as inert data. What Python would call or construct is an Object:
/// the name of the callable, its arguments and its state, for the reader to interpret; nothing is
/// ever run.
struct PickleValue {
  enum class Kind {
    None,
    Bool,
    Int,
    Float,
    Text,
    Bytes,
    List,
    Tuple,
    Dict,
    Set,
    Global,
    Object,
    Persistent
  };

  Kind kind = Kind::None;
  std::int64_t integer = 0;  // Int, and Bool as 0 or 1
  double real = 0;           // Float
  std::string_view
      text;  // Text (UTF-8), Bytes; "module.name" of a Global or of an Object's callable
  std::vector<const PickleValue*>
      items;  // List, Tuple, Set; Dict and an Object filled like one: key, value, key, ...
  const PickleValue* args = nullptr;  // Object: what it is called with, a Tuple; Persistent: the id
  const PickleValue* state = nullptr;  // Object: what is set afterwards, or nullptr

  // Each throws if the value is of another kind; `what` names it in the message: "the shape of
  // an array".
  bool as_bool(std::string_view what) const;
  std::int64_t as_int(std::string_view what) const;
  std::string_view as_text(std::string_view what) const;
  /// The items of a Tuple or List.
  std::span<const PickleValue* const> as_sequence(std::string_view what) const;
  /// The keys and values of a Dict, in the file's order. All keys must be texts; of equal ones
  /// Python keeps the last, a file that has them is refused here.
  std::vector<std::pair<std::string_view, const PickleValue*>> as_dict(std::string_view what) const;
  /// The value of a Dict's key or nullptr.
  const PickleValue* find(std::string_view key) const;

  bool is_object(std::string_view callable) const {
    return kind == Kind::Object && text == callable;
  }
};

struct PickleOptions {
  /// "module.name" of everything a file may mention; any other name is an Error.
  std::vector<std::string> globals;
  /// Whether persistent ids, PyTorch's references to tensor data, are kept as values or refused.
  bool persistent_ids = false;
  /// How many values a file may hold, shared ones counted wherever they are used, and how deep they
  /// may nest.
  std::size_t most_values = 5'000'000;
  std::size_t deepest = 100;
};

/// A restricted reader of Python pickles, protocols 0 to 5: a stack machine that only builds
/// values. A file that mentions a global outside the list, needs buffers from elsewhere, contains
/// itself, goes beyond the limits or is damaged is one Error. Memory stays within a small multiple
/// of the file.
class Pickle {
 public:
  static Pickle open(const std::filesystem::path& path, const PickleOptions& options);
  /// Reads `bytes`, which must outlive the object; `name` stands for the file in messages.
  static Pickle from_bytes(std::span<const std::byte> bytes, const std::string& name,
                           const PickleOptions& options);

  /// A tree (values used twice appear twice); valid as long as this object.
  const PickleValue& root() const { return *root_; }

  Pickle(Pickle&&) noexcept;
  Pickle& operator=(Pickle&&) noexcept;
  ~Pickle();

 private:
  struct Storage;
  Pickle();

  MappedFile file_;
  std::unique_ptr<Storage> storage_;
  const PickleValue* root_ = nullptr;
};

/// "a list": a kind for messages.
std::string_view pickle_kind_name(PickleValue::Kind kind);

}  // namespace npq
