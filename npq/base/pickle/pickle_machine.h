#pragma once
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "npq/base/formats/byte_cursor.h"
#include "npq/base/pickle/pickle.h"

namespace npq {

/// The stack machine behind Pickle. Values live in an arena, so that lists can be shared and filled
/// later.
class PickleMachine {
 public:
  using Arena = std::deque<PickleValue>;
  using Texts = std::deque<std::string>;  // names put together from two parts

  PickleMachine(std::span<const std::byte> bytes, const std::string& file,
                const PickleOptions& options, Arena& arena, Texts& texts)
      : cursor_(bytes, file), file_(file), options_(options), arena_(arena), texts_(texts) {}

  /// Runs to the STOP instruction, which must be the last byte, and returns the value it leaves.
  const PickleValue* run();

 private:
  using Kind = PickleValue::Kind;

  bool step(std::uint8_t code);           // all instructions; false if the code is unknown
  bool step_constant(std::uint8_t code);  // values that stand in the file
  bool step_container(std::uint8_t code);
  bool step_memo(std::uint8_t code);
  bool step_object(std::uint8_t code);

  PickleValue& push(Kind kind);
  void push_int(std::int64_t value);
  void push_long(std::uint64_t bytes);
  void push_number_line();
  void push_float_line();
  void push_text(std::uint64_t bytes);
  void push_old_text(std::string_view text);
  void push_bytes(std::uint64_t bytes);
  void push_global(std::string_view module, std::string_view name);
  void push_tuple(std::size_t count);
  void push_object(const PickleValue* callable, const PickleValue* args);

  PickleValue* pop();
  std::vector<const PickleValue*> pop_to_mark();
  PickleValue* top();
  std::string_view line();
  void append(std::span<const PickleValue* const> items, Kind kind);
  void set_items(std::span<const PickleValue* const> items);
  void build();
  std::uint64_t memo_line();
  void remember(std::uint64_t index);
  void recall(std::uint64_t index);

  [[noreturn]] void fail(const std::string& reason) const;

  ByteCursor cursor_;
  const std::string& file_;
  const PickleOptions& options_;
  Arena& arena_;
  Texts& texts_;
  std::vector<PickleValue*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleValue*> memo_;
};

/// Throws if the value contains itself, nests too deeply, or is too large once shared parts are
/// counted wherever they are used: so a walk through the tree ends, and soon.
void check_pickle_tree(const PickleValue& root, const PickleOptions& options,
                       const std::string& file);

}  // namespace npq
