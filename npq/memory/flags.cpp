#include "npq/memory/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include "npq/base/names.h"
#include "npq/memory/catalog.h"

namespace npq::memory {
namespace {

using Q = PriorityQueueOptions;

/// A flag with its way into the options and back.
struct Entry {
  Flag flag;
  std::function<bool(Kind)> fits;
  std::function<void(MemoryOptions&, std::string_view)> set;
  std::function<std::string(const MemoryOptions&)> get;
};

bool any(Kind kind) { return kind != Kind::None; }
bool queue_alone(Kind kind) { return kind == Kind::PriorityQueue; }
bool slotted(Kind kind) { return has_slots(kind); }
bool linear_structure(Kind kind) {
  return kind == Kind::Stack || kind == Kind::Queue || kind == Kind::Deque;
}

/// `names` are in the order of the enum's values.
template <class Field>
Entry choice(std::string_view name, std::string_view help, std::vector<std::string_view> names,
             bool (*fits)(Kind), Field field) {
  using Choice = std::remove_reference_t<decltype(field(std::declval<MemoryOptions&>()))>;
  return {{name, help, names},
          fits,
          [=](MemoryOptions& options, std::string_view value) {
            const auto found = std::find(names.begin(), names.end(), value);
            if (found == names.end()) throw unknown_name(fmt::format("--{}", name), value, names);
            field(options) = static_cast<Choice>(found - names.begin());
          },
          [=](const MemoryOptions& options) {
            auto copy = options;
            return std::string(names.at(static_cast<std::size_t>(field(copy))));
          }};
}

std::int64_t parse_number(std::string_view flag, std::string_view value) {
  std::int64_t number = 0;
  const auto end = value.data() + value.size();
  const auto result = std::from_chars(value.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end)
    throw UsageError("--{} is '{}'; expected a whole number", flag, value);
  return number;
}

template <class Field>
Entry number(std::string_view name, std::string_view help, bool (*fits)(Kind), Field field) {
  return {{name, help, {}},
          fits,
          [=](MemoryOptions& options, std::string_view value) {
            field(options) = parse_number(name, value);
          },
          [=](const MemoryOptions& options) {
            auto copy = options;
            return std::to_string(field(copy));
          }};
}

Entry slots() {
  return {{"slots",
           "places in the memory: 'auto' (one per step of the batch, at most 1024) or a number",
           {}},
          slotted,
          [](MemoryOptions& options, std::string_view value) {
            if (value == "auto")
              options.slots.reset();
            else
              options.slots = parse_number("slots", value);
          },
          [](const MemoryOptions& options) {
            return options.slots ? std::to_string(*options.slots) : std::string("auto");
          }};
}

#define NPQ_FIELD(member) \
  [](MemoryOptions & options) -> auto& { return options.member; }

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = {
      slots(),
      number("queue-width", "numbers in an element; 0 = twice the hidden size", any,
             NPQ_FIELD(width)),
      number("queue-heads", "attention heads of the queue", queue_alone, NPQ_FIELD(queue.heads)),
      choice("memory-scope", "one structure per node or per graph", {"node", "graph"},
             linear_structure, NPQ_FIELD(scope)),
      choice("carry", "state that a step sees: the last one's, or always the first one's (D1)",
             {"all", "first_step"}, any, NPQ_FIELD(carry)),
      choice("join", "where the message joins: before the message network or after it (D10)",
             {"pre_mlp", "post_mlp"}, any, NPQ_FIELD(join)),
      choice("mask-second-softmax", "empty slots get no attention (D2)", {"off", "on"}, queue_alone,
             NPQ_FIELD(queue.mask_second_softmax)),
      choice("sa-mode", "send-to-all: every value to all, or N copies of one's own (D3)",
             {"all", "self_repeat"}, queue_alone, NPQ_FIELD(queue.sa_mode)),
      choice("slot-write", "what a reused slot does with its old value (D4)", {"overwrite", "add"},
             queue_alone, NPQ_FIELD(queue.slot_write)),
      choice("pop-strength", "how much a node asks for (D5)", {"sigmoid", "softmax_sum"},
             queue_alone, NPQ_FIELD(queue.pop_strength)),
      choice("full-queue", "which slot a full queue writes to (D6)", {"weakest", "oldest", "add"},
             queue_alone, NPQ_FIELD(queue.full_queue)),
      choice("grant", "how requests are cut to what a slot holds (D7)", {"piecewise", "epsilon"},
             queue_alone, NPQ_FIELD(queue.grant)),
      choice("single-head-skip", "with one head, no second softmax (D9)", {"off", "on"},
             queue_alone, NPQ_FIELD(queue.single_head_skip)),
      choice("write-slot", "when the next slot is chosen (D11); rotate: one after the other",
             {"after_deletion", "previous_step", "rotate"}, queue_alone,
             NPQ_FIELD(queue.write_slot)),
      choice("push-pool", "how the nodes' values become one element", {"sum", "mean"}, queue_alone,
             NPQ_FIELD(queue.push_pool)),
      choice("pop-budget", "node: each node may ask for up to 1; graph: all together",
             {"node", "graph"}, queue_alone, NPQ_FIELD(queue.pop_budget)),
      choice("straight-through", "max popping teaches the attention", {"off", "on"}, queue_alone,
             NPQ_FIELD(queue.straight_through)),
  };
  return table;
}

#undef NPQ_FIELD

}  // namespace

std::span<const Flag> flags() {
  static const std::vector<Flag> all = [] {
    std::vector<Flag> list;
    for (const auto& entry : entries()) list.push_back(entry.flag);
    return list;
  }();
  return all;
}

void set_flag(MemoryOptions& options, std::string_view flag, std::string_view value) {
  std::vector<std::string_view> known;
  for (const auto& entry : entries()) {
    known.push_back(entry.flag.name);
    if (entry.flag.name != flag) continue;
    if (!entry.fits(find_row(options.name).kind))
      throw UsageError(
          "memory '{}' has no use for --{}; leave the flag out or choose another --memory",
          options.name, flag);
    entry.set(options, value);
    return options.validate();
  }
  throw unknown_name("memory flag", flag, known);
}

std::vector<std::pair<std::string, std::string>> flag_values(const MemoryOptions& options) {
  const Kind kind = find_row(options.name).kind;
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& entry : entries())
    if (entry.fits(kind)) values.emplace_back(entry.flag.name, entry.get(options));
  return values;
}

}  // namespace npq::memory
