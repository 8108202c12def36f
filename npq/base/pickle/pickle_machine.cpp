#include "npq/base/pickle/pickle_machine.h"

namespace npq {

// The instructions are named as in Python's pickletools.

void PickleMachine::fail(const std::string& reason) const {
  throw Error("'{}' is not a pickle this program reads: {}, at byte {}", file_, reason,
              cursor_.position());
}

const PickleValue* PickleMachine::run() {
  for (;;) {
    const auto code = cursor_.u8();
    if (code == '.') break;
    if (!step(code)) fail(fmt::format("it has the unknown instruction {:#04x}", code));
  }
  if (cursor_.remaining() != 0) fail(fmt::format("{} bytes follow its end", cursor_.remaining()));
  PickleValue* const root = pop();
  if (!stack_.empty() || !marks_.empty()) fail("it leaves more than one value");
  return root;
}

bool PickleMachine::step(std::uint8_t code) {
  return step_constant(code) || step_container(code) || step_memo(code) || step_object(code);
}

bool PickleMachine::step_container(std::uint8_t code) {
  switch (code) {
    case '(':
      marks_.push_back(stack_.size());
      return true;  // MARK
    case '0':       // POP
      if (!marks_.empty() && marks_.back() == stack_.size()) {
        marks_.pop_back();
      } else {
        pop();
      }
      return true;
    case '1':
      pop_to_mark();
      return true;  // POP_MARK
    case '2':
      stack_.push_back(top());
      return true;  // DUP
    case ']':
      push(Kind::List);
      return true;  // EMPTY_LIST
    case '}':
      push(Kind::Dict);
      return true;  // EMPTY_DICT
    case 0x8f:
      push(Kind::Set);
      return true;  // EMPTY_SET
    case ')':
      push(Kind::Tuple);
      return true;  // EMPTY_TUPLE
    case 0x85:
      push_tuple(1);
      return true;  // TUPLE1
    case 0x86:
      push_tuple(2);
      return true;  // TUPLE2
    case 0x87:
      push_tuple(3);
      return true;  // TUPLE3
    case 't':       // TUPLE
    case 'l':       // LIST
    case 0x91: {    // FROZENSET
      auto items = pop_to_mark();
      push(code == 't'   ? Kind::Tuple
           : code == 'l' ? Kind::List
                         : Kind::Set)
          .items = std::move(items);
      return true;
    }
    case 'd': {  // DICT
      const auto items = pop_to_mark();
      push(Kind::Dict);
      set_items(items);
      return true;
    }
    case 'a': {  // APPEND
      const PickleValue* const item = pop();
      append({&item, 1}, Kind::List);
      return true;
    }
    case 'e':
      append(pop_to_mark(), Kind::List);
      return true;  // APPENDS
    case 0x90:
      append(pop_to_mark(), Kind::Set);
      return true;  // ADDITEMS
    case 's': {     // SETITEM
      const PickleValue* const value = pop();
      const PickleValue* const key = pop();
      const PickleValue* const pair[] = {key, value};
      set_items(pair);
      return true;
    }
    case 'u':
      set_items(pop_to_mark());
      return true;  // SETITEMS
    default:
      return false;
  }
}

bool PickleMachine::step_memo(std::uint8_t code) {
  switch (code) {
    case 'p':
      remember(memo_line());
      return true;  // PUT
    case 'q':
      remember(cursor_.u8());
      return true;  // BINPUT
    case 'r':
      remember(cursor_.u32());
      return true;  // LONG_BINPUT
    case 0x94:
      remember(memo_.size());
      return true;  // MEMOIZE
    case 'g':
      recall(memo_line());
      return true;  // GET
    case 'h':
      recall(cursor_.u8());
      return true;  // BINGET
    case 'j':
      recall(cursor_.u32());
      return true;  // LONG_BINGET
    default:
      return false;
  }
}

PickleValue& PickleMachine::push(Kind kind) {
  if (arena_.size() >= options_.most_values) {
    fail(fmt::format("it holds more than {} values", options_.most_values));
  }
  PickleValue& value = arena_.emplace_back();
  value.kind = kind;
  stack_.push_back(&value);
  return value;
}

void PickleMachine::push_tuple(std::size_t count) {
  std::vector<const PickleValue*> items(count);
  for (std::size_t i = count; i-- > 0;) items[i] = pop();
  push(Kind::Tuple).items = std::move(items);
}

PickleValue* PickleMachine::pop() {
  PickleValue* const value = top();
  stack_.pop_back();
  return value;
}

PickleValue* PickleMachine::top() {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("it takes a value where none is");
  return stack_.back();
}

std::vector<const PickleValue*> PickleMachine::pop_to_mark() {
  if (marks_.empty()) fail("it takes values where none are");
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<const PickleValue*> items(first, stack_.end());
  stack_.erase(first, stack_.end());
  marks_.pop_back();
  return items;
}

void PickleMachine::append(std::span<const PickleValue* const> items, Kind kind) {
  PickleValue* const target = top();
  if (target->kind != kind) {
    fail(fmt::format("it adds items to {}", pickle_kind_name(target->kind)));
  }
  target->items.insert(target->items.end(), items.begin(), items.end());
}

void PickleMachine::set_items(std::span<const PickleValue* const> items) {
  PickleValue* const target = top();
  if (target->kind != Kind::Dict && target->kind != Kind::Object) {
    fail(fmt::format("it sets keys of {}", pickle_kind_name(target->kind)));
  }
  if (items.size() % 2 != 0) fail("a key has no value");
  target->items.insert(target->items.end(), items.begin(), items.end());
}

void PickleMachine::remember(std::uint64_t index) { memo_[index] = top(); }

void PickleMachine::recall(std::uint64_t index) {
  const auto found = memo_.find(index);
  if (found == memo_.end()) fail(fmt::format("it recalls value {}, which it never kept", index));
  stack_.push_back(found->second);
}

}  // namespace npq
