#include "npq/memory/flags.h"

#include <fmt/format.h>

#include "npq/memory/catalog.h"

namespace npq::memory {
namespace {

using Q = PriorityQueueOptions;
using MemoryOption = Option<MemoryOptions>;

constexpr NamedChoice<bool> kOffOn[] = {{"off", false}, {"on", true}};
constexpr NamedChoice<Scope> kScopes[] = {{"node", Scope::Node}, {"graph", Scope::Graph}};
constexpr NamedChoice<Carry> kCarries[] = {{"all", Carry::All}, {"first_step", Carry::FirstStep}};
constexpr NamedChoice<Join> kJoins[] = {{"pre_mlp", Join::PreMlp}, {"post_mlp", Join::PostMlp}};
constexpr NamedChoice<Delivery> kSaModes[] = {{"all", Delivery::All},
                                              {"self_repeat", Delivery::SelfRepeat}};
constexpr NamedChoice<Q::SlotWrite> kSlotWrites[] = {{"overwrite", Q::SlotWrite::Overwrite},
                                                     {"add", Q::SlotWrite::Add}};
constexpr NamedChoice<Q::PopStrength> kPopStrengths[] = {
    {"sigmoid", Q::PopStrength::Sigmoid}, {"softmax_sum", Q::PopStrength::SoftmaxSum}};
constexpr NamedChoice<Q::FullQueue> kFullQueues[] = {{"weakest", Q::FullQueue::Weakest},
                                                     {"oldest", Q::FullQueue::Oldest},
                                                     {"add", Q::FullQueue::Add}};
constexpr NamedChoice<Q::Grant> kGrants[] = {{"piecewise", Q::Grant::Piecewise},
                                             {"epsilon", Q::Grant::Epsilon}};
constexpr NamedChoice<Q::WriteSlot> kWriteSlots[] = {
    {"after_deletion", Q::WriteSlot::AfterDeletion},
    {"previous_step", Q::WriteSlot::PreviousStep},
    {"rotate", Q::WriteSlot::Rotate}};
constexpr NamedChoice<Pool> kPushPools[] = {
    {"sum", Pool::Sum}, {"mean", Pool::Mean}, {"max", Pool::Max}, {"softmax", Pool::Softmax}};
constexpr NamedChoice<Pool> kMessagePools[] = {{"mean", Pool::Mean}, {"sum", Pool::Sum}};
constexpr NamedChoice<Q::MessageSize> kMessageSizes[] = {{"share", Q::MessageSize::Share},
                                                         {"unit", Q::MessageSize::Unit}};
constexpr NamedChoice<Q::Attention> kAttentions[] = {{"paper", Q::Attention::Paper},
                                                     {"single", Q::Attention::Single}};
constexpr NamedChoice<bool> kMessageNorms[] = {{"none", false}, {"layer", true}};
constexpr NamedChoice<Q::PopBudget> kPopBudgets[] = {{"node", Q::PopBudget::Node},
                                                     {"graph", Q::PopBudget::Graph}};

bool any(Kind kind) { return kind != Kind::None; }
bool global_mean_alone(Kind kind) { return kind == Kind::GlobalMean; }
bool keeps_something(Kind kind) { return has_state(kind); }
bool queue_alone(Kind kind) { return kind == Kind::PriorityQueue; }
bool linear_structure(Kind kind) {
  return kind == Kind::Stack || kind == Kind::Queue || kind == Kind::Deque;
}

/// `option` for memories of the kinds that `fits` names.
MemoryOption only_for(bool (*fits)(Kind), MemoryOption option) {
  option.group = "Memory";
  option.fits = [fits](const MemoryOptions& options) { return fits(find_row(options.name).kind); };
  option.unfitting = [name = option.name](const MemoryOptions& options) {
    return fmt::format(
        "memory '{}' has no use for --{}; leave the flag out or choose another --memory",
        options.name, name);
  };
  return option;
}

template <class Choice, std::size_t size, class Field>
MemoryOption choice(const char* name, const char* help, const NamedChoice<Choice> (&table)[size],
                    bool (*fits)(Kind), Field field) {
  return only_for(fits, choice_option<MemoryOptions>(name, help, table, field));
}

template <class Field>
MemoryOption number(const char* name, const char* help, Range range, bool (*fits)(Kind),
                    Field field) {
  auto option = plain_option<MemoryOptions>(name, help, "N", field).in(range);
  option.kept_as_text = true;
  return only_for(fits, std::move(option));
}

MemoryOption slots() {
  MemoryOption option;
  option.name = "slots";
  option.help =
      "places in the memory: 'auto' (one per step of the batch, at most 1024) or a number";
  option.value = "N";
  option.read = [](MemoryOptions& options, std::string_view value) {
    if (value == "auto")
      options.slots.reset();
    else
      read_option("slots", value, options.slots.emplace());
  };
  option.text = [](const MemoryOptions& options) {
    return options.slots ? option_text(*options.slots) : "auto";
  };
  return only_for(has_slots, std::move(option));
}

}  // namespace

const OptionTable<MemoryOptions>& flags() {
  static const OptionTable<MemoryOptions> table{{
      slots(),
      number("queue-width", "numbers in an element; 0 = twice the hidden size", at_least(0),
             keeps_something, NPQ_FIELD(width)),
      number("queue-heads", "attention heads of the queue", at_least(1), queue_alone,
             NPQ_FIELD(queue.heads)),
      choice("memory-scope", "one structure per node or per graph", kScopes, linear_structure,
             NPQ_FIELD(scope)),
      choice("carry", "state that a step sees: the last one's, or always the first one's (D1)",
             kCarries, keeps_something, NPQ_FIELD(carry)),
      choice("message-pool", "how the message to all nodes is made of what each says",
             kMessagePools, global_mean_alone, NPQ_FIELD(message_pool)),
      choice("join", "where the message joins: before the message network or after it (D10)",
             kJoins, any, NPQ_FIELD(join)),
      choice("mask-second-softmax", "empty slots get no attention (D2)", kOffOn, queue_alone,
             NPQ_FIELD(queue.mask_second_softmax)),
      choice("sa-mode", "send-to-all: every value to all, or N copies of one's own (D3)", kSaModes,
             queue_alone, NPQ_FIELD(queue.sa_mode)),
      choice("slot-write", "what a reused slot does with its old value (D4)", kSlotWrites,
             queue_alone, NPQ_FIELD(queue.slot_write)),
      choice("pop-strength", "how much a node asks for (D5)", kPopStrengths, queue_alone,
             NPQ_FIELD(queue.pop_strength)),
      choice("full-queue", "which slot a full queue writes to (D6)", kFullQueues, queue_alone,
             NPQ_FIELD(queue.full_queue)),
      choice("grant", "how requests are cut to what a slot holds (D7)", kGrants, queue_alone,
             NPQ_FIELD(queue.grant)),
      choice("single-head-skip", "with one head, no second softmax (D9)", kOffOn, queue_alone,
             NPQ_FIELD(queue.single_head_skip)),
      choice("write-slot", "when the next slot is chosen (D11); rotate: one after the other",
             kWriteSlots, queue_alone, NPQ_FIELD(queue.write_slot)),
      choice("push-pool", "how the nodes' values become one element", kPushPools, queue_alone,
             NPQ_FIELD(queue.push_pool)),
      choice("attention",
             "paper: a softmax per head, then one over f_a of them; single: one in all",
             kAttentions, queue_alone, NPQ_FIELD(queue.attention))
          .later("paper"),
      choice("pop-budget", "node: each node may ask for up to 1; graph: all together", kPopBudgets,
             queue_alone, NPQ_FIELD(queue.pop_budget)),
      choice("message-size", "unit: what a node gets does not shrink with the number of nodes",
             kMessageSizes, queue_alone, NPQ_FIELD(queue.message_size))
          .later("share"),
      choice("message-norm", "layer: a LayerNorm on every message", kMessageNorms, queue_alone,
             NPQ_FIELD(queue.normed_message))
          .later("none"),
      choice("straight-through", "max popping passes a gradient to the attention", kOffOn,
             queue_alone, NPQ_FIELD(queue.straight_through)),
  }};
  return table;
}

bool is_flag(std::string_view name) {
  return std::any_of(flags().begin(), flags().end(),
                     [&](const auto& flag) { return flag.name == name; });
}

void set_flag(MemoryOptions& options, std::string_view flag, std::string_view value) {
  flags().set(options, flag, value);
  options.validate();
}

std::vector<std::pair<std::string, std::string>> flag_values(const MemoryOptions& options) {
  return flags().values(options);
}

}  // namespace npq::memory
