// The instructions of a pickle that would import, call and construct in Python. Here they only note
// names and arguments.
#include <fmt/ranges.h>

#include <algorithm>

#include "npq/base/pickle/pickle_machine.h"
#include "npq/base/printable.h"

namespace npq {

bool PickleMachine::step_object(std::uint8_t code) {
  switch (code) {
    case 'c': {  // GLOBAL
      const auto module = line();
      push_global(module, line());
      return true;
    }
    case 0x93: {  // STACK_GLOBAL
      const auto name = pop()->as_text("the name of a global");
      push_global(pop()->as_text("the module of a global"), name);
      return true;
    }
    case 'R':     // REDUCE
    case 0x81: {  // NEWOBJ
      const PickleValue* const args = pop();
      push_object(pop(), args);
      return true;
    }
    case 'i':    // INST
    case 'o': {  // OBJ
      auto items = pop_to_mark();
      if (code == 'i') {
        const auto module = line();
        push_global(module, line());
        items.insert(items.begin(), pop());
      }
      if (items.empty()) fail("an object has no class");
      PickleValue& args = push(Kind::Tuple);
      args.items.assign(items.begin() + 1, items.end());
      push_object(items.front(), pop());
      return true;
    }
    case 'b':
      build();
      return true;  // BUILD
    case 'P':       // PERSID
    case 'Q': {     // BINPERSID
      if (!options_.persistent_ids) fail("it refers to data kept elsewhere");
      if (code == 'P') push(Kind::Text).text = line();
      const PickleValue* const id = pop();
      push(Kind::Persistent).args = id;
      return true;
    }
    case 0x82:
    case 0x83:
    case 0x84:
      fail("it refers to Python's extension registry");
    case 0x92:
      fail("it calls a constructor with named arguments");
    case 0x97:
    case 0x98:
      fail("its buffers were saved elsewhere; save it again without buffer_callback");
    default:
      return false;
  }
}

void PickleMachine::push_global(std::string_view module, std::string_view name) {
  const std::string full = fmt::format("{}.{}", module, name);
  const auto found = std::ranges::find(options_.globals, full);
  if (found == options_.globals.end()) {
    throw Error("'{}': this pickle wants to call '{}'; only {} are understood, and nothing was run",
                file_, printable(full),
                options_.globals.empty() ? "plain values"
                                         : fmt::format("{}", fmt::join(options_.globals, ", ")));
  }
  // The options may be gone before the values are.
  const auto known = std::ranges::find(texts_, full);
  const std::string& kept = known == texts_.end() ? texts_.emplace_back(full) : *known;
  push(Kind::Global).text = kept;
}

void PickleMachine::push_object(const PickleValue* callable, const PickleValue* args) {
  if (callable->kind != Kind::Global) {
    fail(fmt::format("it calls {}", pickle_kind_name(callable->kind)));
  }
  if (args->kind != Kind::Tuple)
    fail(fmt::format("'{}' is called without arguments", callable->text));
  PickleValue& object = push(Kind::Object);
  object.text = callable->text;
  object.args = args;
}

void PickleMachine::build() {
  const PickleValue* const state = pop();
  PickleValue* const target = top();
  if (target->kind != Kind::Object || target->state != nullptr) {
    fail(fmt::format("it sets the state of {}", target->kind == Kind::Object
                                                    ? "an object twice"
                                                    : pickle_kind_name(target->kind)));
  }
  target->state = state;
}

}  // namespace npq
