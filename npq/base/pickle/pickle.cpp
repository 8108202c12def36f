#include "npq/base/pickle/pickle.h"

#include <set>
#include <utility>

#include "npq/base/error.h"
#include "npq/base/pickle/pickle_machine.h"
#include "npq/base/printable.h"

namespace npq {
namespace {

using Kind = PickleValue::Kind;

void expect(bool right, std::string_view wanted, std::string_view what, Kind found) {
  if (!right) {
    throw Error("{} of a pickle is {}; expected {}", what, pickle_kind_name(found), wanted);
  }
}

}  // namespace

std::string_view pickle_kind_name(Kind kind) {
  switch (kind) {
    case Kind::None:
      return "None";
    case Kind::Bool:
      return "a truth value";
    case Kind::Int:
      return "a whole number";
    case Kind::Float:
      return "a number";
    case Kind::Text:
      return "a text";
    case Kind::Bytes:
      return "bytes";
    case Kind::List:
      return "a list";
    case Kind::Tuple:
      return "a tuple";
    case Kind::Dict:
      return "a dict";
    case Kind::Set:
      return "a set";
    case Kind::Global:
      return "a global";
    case Kind::Object:
      return "an object";
    case Kind::Persistent:
      return "a reference to data elsewhere";
  }
  return "";
}

bool PickleValue::as_bool(std::string_view what) const {
  // Old protocols and old numpy write truth values as 0 and 1.
  expect(kind == Kind::Bool || (kind == Kind::Int && (integer == 0 || integer == 1)),
         "a truth value", what, kind);
  return integer != 0;
}

std::int64_t PickleValue::as_int(std::string_view what) const {
  expect(kind == Kind::Int, "a whole number", what, kind);
  return integer;
}

std::string_view PickleValue::as_text(std::string_view what) const {
  expect(kind == Kind::Text, "a text", what, kind);
  return text;
}

std::span<const PickleValue* const> PickleValue::as_sequence(std::string_view what) const {
  expect(kind == Kind::Tuple || kind == Kind::List, "a tuple or list", what, kind);
  return items;
}

std::vector<std::pair<std::string_view, const PickleValue*>> PickleValue::as_dict(
    std::string_view what) const {
  expect(kind == Kind::Dict, "a dict", what, kind);
  std::vector<std::pair<std::string_view, const PickleValue*>> entries;
  std::set<std::string_view> keys;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const auto key = items[i]->as_text(fmt::format("a key in {}", what));
    if (!keys.insert(key).second) {
      throw Error("{} of a pickle has the key '{}' twice", what, printable(key));
    }
    entries.emplace_back(key, items[i + 1]);
  }
  return entries;
}

const PickleValue* PickleValue::find(std::string_view key) const {
  const PickleValue* found = nullptr;
  if (kind != Kind::Dict) return found;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (items[i]->kind == Kind::Text && items[i]->text == key) found = items[i + 1];
  }
  return found;
}

struct Pickle::Storage {
  PickleMachine::Arena values;
  PickleMachine::Texts texts;
};

Pickle::Pickle() : storage_(std::make_unique<Storage>()) {}
Pickle::Pickle(Pickle&&) noexcept = default;
Pickle& Pickle::operator=(Pickle&&) noexcept = default;
Pickle::~Pickle() = default;

Pickle Pickle::open(const std::filesystem::path& path, const PickleOptions& options) {
  MappedFile file(path);
  Pickle pickle = from_bytes(file.bytes(), path.string(), options);
  pickle.file_ = std::move(file);
  return pickle;
}

Pickle Pickle::from_bytes(std::span<const std::byte> bytes, const std::string& name,
                          const PickleOptions& options) {
  Pickle pickle;
  PickleMachine machine(bytes, name, options, pickle.storage_->values, pickle.storage_->texts);
  pickle.root_ = machine.run();
  check_pickle_tree(*pickle.root_, options, name);
  return pickle;
}

}  // namespace npq
