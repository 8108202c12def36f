#include "npq/memory/catalog.h"

#include <algorithm>
#include <cctype>

#include "npq/base/names.h"

namespace npq::memory {
namespace {

using Q = PriorityQueueOptions;
constexpr auto M = Q::Read::Max;
constexpr auto W = Q::Read::Weighted;

// P keeps what it reads, SA sends every popped value to all nodes, SV pops one value for the graph.
constexpr Q npq(Q::Read read) { return {.read = read}; }
constexpr Q p(Q q) {
  q.pop = Q::Pop::Keep;
  return q;
}
constexpr Q sa(Q q) {
  q.send_to_all = true;
  return q;
}
constexpr Q sv(Q q) {
  q.reader = Q::Reader::Graph;
  return q;
}
// Our three choices together.
constexpr Q plus(Q q) {
  q.push_pool = Pool::Mean;
  q.pop_budget = Q::PopBudget::Graph;
  q.straight_through = true;
  return q;
}

constexpr Row kRows[] = {
    {"none", "no memory", Kind::None},
    {"npq_m", "NPQ_M", Kind::PriorityQueue, npq(M)},
    {"npq_m_p", "NPQ_M-P", Kind::PriorityQueue, p(npq(M))},
    {"npq_m_sa", "NPQ_M-SA", Kind::PriorityQueue, sa(npq(M))},
    {"npq_m_sv", "NPQ_M-SV", Kind::PriorityQueue, sv(npq(M))},
    {"npq_m_p_sa", "NPQ_M-P-SA", Kind::PriorityQueue, p(sa(npq(M)))},
    {"npq_m_p_sv", "NPQ_M-P-SV", Kind::PriorityQueue, p(sv(npq(M)))},
    {"npq_w", "NPQ_W", Kind::PriorityQueue, npq(W)},
    {"npq_w_p", "NPQ_W-P", Kind::PriorityQueue, p(npq(W))},
    {"npq_w_sa", "NPQ_W-SA", Kind::PriorityQueue, sa(npq(W))},
    {"npq_w_sv", "NPQ_W-SV", Kind::PriorityQueue, sv(npq(W))},
    {"npq_w_p_sa", "NPQ_W-P-SA", Kind::PriorityQueue, p(sa(npq(W)))},
    {"npq_w_p_sv", "NPQ_W-P-SV", Kind::PriorityQueue, p(sv(npq(W)))},
    {"npq_m_plus", "NPQ_M plus", Kind::PriorityQueue, plus(npq(M))},
    {"npq_w_plus", "NPQ_W plus", Kind::PriorityQueue, plus(npq(W))},
    {"oracle", "Oracle PQ (dijkstra only)", Kind::Oracle},
    {"stack", "neural stack", Kind::Stack},
    {"queue", "neural queue", Kind::Queue},
    {"deque", "neural deque", Kind::Deque},
    {"lstm", "LSTM per node", Kind::Lstm},
    {"gru", "GRU per node", Kind::Gru},
    {"virtual_node", "virtual node", Kind::VirtualNode},
    {"ntm", "neural Turing machine", Kind::Ntm},
    {"constant", "one learned message", Kind::Constant},
    {"global_mean", "mean over all nodes", Kind::GlobalMean},
};

std::string plain_spelling(std::string_view name) {
  std::string plain(name);
  for (char& c : plain)
    c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

void use_reference(MemoryOptions& options) {
  options.carry = Carry::FirstStep;  // D1
  if (find_row(options.name).kind != Kind::PriorityQueue) return;
  options.slots = 128;                                    // D6
  options.queue.mask_second_softmax = false;              // D2
  options.queue.sa_mode = Delivery::SelfRepeat;           // D3
  options.queue.slot_write = Q::SlotWrite::Add;           // D4
  options.queue.full_queue = Q::FullQueue::Add;           // D6
  options.queue.grant = Q::Grant::Epsilon;                // D7
  options.queue.single_head_skip = true;                  // D9
  options.queue.write_slot = Q::WriteSlot::PreviousStep;  // D11
}

}  // namespace

std::span<const Row> catalog() { return kRows; }

std::vector<std::string_view> memory_names() {
  std::vector<std::string_view> names;
  for (const auto& row : kRows) names.push_back(row.name);
  return names;
}

const Row& find_row(std::string_view name) {
  const std::string plain = plain_spelling(name);
  for (const auto& row : kRows)
    if (row.name == plain) return row;
  throw unknown_name("memory", name, memory_names());
}

bool has_slots(Kind kind) {
  switch (kind) {
    case Kind::PriorityQueue:
    case Kind::Stack:
    case Kind::Queue:
    case Kind::Deque:
    case Kind::Ntm:
      return true;
    case Kind::None:
    case Kind::Lstm:
    case Kind::Gru:
    case Kind::VirtualNode:
    case Kind::Oracle:
    case Kind::Constant:
    case Kind::GlobalMean:
      return false;
  }
  return false;
}

bool has_state(Kind kind) {
  return kind != Kind::None && kind != Kind::Constant && kind != Kind::GlobalMean;
}

Preset preset_named(std::string_view name) {
  if (name == "paper") return Preset::Paper;
  if (name == "reference") return Preset::Reference;
  const std::string_view known[] = {"paper", "reference"};
  throw unknown_name("preset", name, known);
}

MemoryOptions memory_options(std::string_view name, Preset preset) {
  const Row& row = find_row(name);
  MemoryOptions options{.name = std::string(row.name), .queue = row.queue};
  if (preset == Preset::Paper || row.kind == Kind::None) return options;
  if (row.kind != Kind::PriorityQueue && row.kind != Kind::Oracle)
    throw UsageError(
        "the reference preset reproduces the authors' queues; memory '{}' is not among them; use "
        "--preset paper",
        row.name);
  use_reference(options);
  return options;
}

}  // namespace npq::memory
