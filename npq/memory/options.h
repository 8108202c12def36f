#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "npq/kernels/delivery.h"
#include "npq/kernels/queue_choices.h"

// What a memory is, as named choices. Free of torch: the command line reads and checks these at
// once.
namespace npq::memory {

/// Who hears the message of a node, and where it joins the others. (D10)
using Delivery = kernels::Delivery;
using Join = kernels::Join;

/// How the nodes' values become one.
enum class Pool { Sum, Mean, Max, Softmax };  // only Sum saturates as graphs grow

/// Every choice of the neural priority queue. The defaults are the paper's NPQ_W; the paper's other
/// variants are rows of catalog.cpp. D1 to D17 are the places where paper and published code
/// disagree; docs/equations.md tells what each means.
struct PriorityQueueOptions {
  // What makes the paper's variants.
  using Read = kernels::QueueChoices::Read;
  using Reader = kernels::QueueChoices::Reader;  // Graph: -SV
  using Pop = kernels::QueueChoices::Pop;        // Keep: -P
  Read read = Read::Weighted;
  Reader reader = Reader::Node;
  Pop pop = Pop::Consume;
  bool send_to_all = false;  // -SA: all nodes hear what one has popped

  // Where the published code does otherwise: the first name is the paper's.
  using SlotWrite = kernels::QueueChoices::SlotWrite;  // D4
  enum class PopStrength { Sigmoid, SoftmaxSum };      // D5: softmax over nodes times the sum
  using FullQueue = kernels::QueueChoices::FullQueue;  // D6: without strengths Weakest is Oldest
  using Grant = kernels::QueueChoices::Grant;          // D7
  using WriteSlot = kernels::QueueChoices::WriteSlot;  // D11; Rotate: peptide code
  bool mask_second_softmax = true;                     // D2
  Delivery sa_mode = Delivery::All;  // D3: what -SA does; SelfRepeat: N copies of one's own message
  SlotWrite slot_write = SlotWrite::Overwrite;
  PopStrength pop_strength = PopStrength::Sigmoid;
  FullQueue full_queue = FullQueue::Weakest;
  Grant grant = Grant::Piecewise;
  bool single_head_skip = false;  // D9: with one head, no f_a and no second softmax
  WriteSlot write_slot = WriteSlot::AfterDeletion;

  // Ours, in no preset of the paper.
  enum class PopBudget { Node, Graph };    // Graph: all nodes together ask for at most 1
  enum class Attention { Paper, Single };  // Single: one softmax over the sum of the heads' logits
  Pool push_pool = Pool::Sum;
  Attention attention = Attention::Paper;
  PopBudget pop_budget = PopBudget::Node;
  enum class MessageSize { Share, Unit };  // Unit: requests are cut by their mean, not their sum
  MessageSize message_size = MessageSize::Share;
  bool normed_message = false;    // a LayerNorm behind f_m
  bool straight_through = false;  // max popping teaches the attention as weighted popping would

  std::int64_t heads = 4;

  Delivery delivery() const { return send_to_all ? sa_mode : Delivery::Self; }
  bool operator==(const PriorityQueueOptions&) const = default;
};

/// D1. All: each step sees what the last one left. FirstStep: every later step sees the state that
/// the first one left, as in the published code under jit.
enum class Carry { All, FirstStep };

/// Stack, queue and deque: one structure for each node, or one for the graph.
enum class Scope { Node, Graph };

inline constexpr std::int64_t kMostAutomaticSlots = 1024;

/// A memory by its catalog name, and the sizes that the name leaves open.
struct MemoryOptions {
  std::string name = "none";
  std::optional<std::int64_t> slots;  // nothing: as many as the batch has steps, at most 1024
  std::int64_t width = 0;             // F, numbers in an element; 0: as wide as z (2H)
  Carry carry = Carry::All;
  Join join = Join::PreMlp;
  Scope scope = Scope::Node;
  Pool message_pool = Pool::Mean;  // global_mean alone
  PriorityQueueOptions queue;      // used by the npq rows alone

  /// Throws a UsageError that names the flag, what it holds and what it may hold.
  void validate() const;
  /// Also what depends on the task: the oracle knows Dijkstra's schedule and no other.
  void validate_for(const std::string& algorithm) const;

  std::int64_t slots_for(std::int64_t steps) const;
  std::int64_t width_for(std::int64_t z_width) const { return width == 0 ? z_width : width; }
  bool operator==(const MemoryOptions&) const = default;
};

}  // namespace npq::memory
