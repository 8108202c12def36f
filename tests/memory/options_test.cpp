#include "npq/memory/options.h"

#include <gmock/gmock.h>

#include <set>

#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"
#include "tests/support/error_text.h"

namespace npq::memory {
namespace {

using npq::test::error_text;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Q = PriorityQueueOptions;

TEST(MemoryCatalog, HasTheTwelveVariantsOfThePaper) {
  for (const char* read : {"npq_m", "npq_w"}) {
    for (const char* variant : {"", "_p", "_sa", "_sv", "_p_sa", "_p_sv"}) {
      const std::string name = std::string(read) + variant;
      const auto options = memory_options(name);
      EXPECT_EQ(options.queue.read == Q::Read::Max, name[4] == 'm') << name;
      EXPECT_EQ(options.queue.pop == Q::Pop::Keep, name.find("_p") != name.npos) << name;
      EXPECT_EQ(options.queue.send_to_all, name.ends_with("_sa")) << name;
      EXPECT_EQ(options.queue.reader == Q::Reader::Graph, name.ends_with("_sv")) << name;
      EXPECT_FALSE(options.queue.straight_through) << name;
    }
  }
}

TEST(MemoryCatalog, EveryRowHasANameOfItsOwnAndValidatesWithBothPresets) {
  std::set<std::string_view> names;
  for (const auto& row : catalog()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    memory_options(row.name).validate();
    if (row.kind == Kind::PriorityQueue) memory_options(row.name, Preset::Reference).validate();
  }
}

TEST(MemoryCatalog, KnowsTheSpellingOfThePaper) {
  EXPECT_EQ(find_row("NPQ_W-P-SV").name, "npq_w_p_sv");
}

TEST(MemoryCatalog, AnUnknownNameListsTheKnownOnesAndTheNearest) {
  EXPECT_THAT(error_text([] { find_row("npq_v"); }),
              AllOf(HasSubstr("no memory 'npq_v'"), HasSubstr("did you mean 'npq_"),
                    HasSubstr("virtual_node")));
}

TEST(MemoryCatalog, TheReferencePresetSwitchesEveryDeviation) {
  const auto options = memory_options("npq_w_sa", Preset::Reference);
  EXPECT_EQ(options.carry, Carry::FirstStep);
  EXPECT_EQ(options.slots, 128);
  EXPECT_EQ(options.join, Join::PreMlp);
  EXPECT_FALSE(options.queue.mask_second_softmax);
  EXPECT_EQ(options.queue.sa_mode, Delivery::SelfRepeat);
  EXPECT_EQ(options.queue.slot_write, Q::SlotWrite::Add);
  EXPECT_EQ(options.queue.pop_strength, Q::PopStrength::Sigmoid);
  EXPECT_EQ(options.queue.full_queue, Q::FullQueue::Add);
  EXPECT_EQ(options.queue.grant, Q::Grant::Epsilon);
  EXPECT_TRUE(options.queue.single_head_skip);
  EXPECT_EQ(options.queue.write_slot, Q::WriteSlot::PreviousStep);
}

TEST(MemoryCatalog, TheRivalsWereNeverPublished) {
  EXPECT_THAT(error_text([] { memory_options("lstm", Preset::Reference); }),
              HasSubstr("memory 'lstm' is not among them"));
  EXPECT_EQ(memory_options("none", Preset::Reference), memory_options("none"));
}

TEST(MemoryOptions, AutomaticSlotsAreTheStepsOfTheBatchUpTo1024) {
  const auto options = memory_options("npq_w");
  EXPECT_EQ(options.slots_for(15), 15);
  EXPECT_EQ(options.slots_for(5000), 1024);
  EXPECT_EQ(memory_options("deque").slots_for(15), 30);
}

TEST(MemoryOptions, ImpossibleSizesAreRefused) {
  auto options = memory_options("npq_w");
  EXPECT_THAT(error_text([&] { set_flag(options, "slots", "0"); }),
              HasSubstr("--slots is 0; expected 'auto' or at least 1 slot"));
  options = memory_options("npq_w");
  EXPECT_THAT(error_text([&] { set_flag(options, "queue-heads", "0"); }),
              HasSubstr("--queue-heads is 0; expected at least 1"));
  options = memory_options("npq_w");
  EXPECT_THAT(error_text([&] { set_flag(options, "queue-width", "-3"); }),
              HasSubstr("--queue-width is -3"));
}

TEST(MemoryOptions, TheOracleServesDijkstraAlone) {
  memory_options("oracle").validate_for("dijkstra");
  EXPECT_THAT(error_text([] { memory_options("oracle").validate_for("insertion_sort"); }),
              HasSubstr("cannot serve algorithm 'insertion_sort'"));
  memory_options("npq_w").validate_for("insertion_sort");
}

TEST(MemoryOptions, ARivalHasNoUseForTheQueuesFlags) {
  auto options = memory_options("lstm");
  EXPECT_THAT(error_text([&] { set_flag(options, "grant", "epsilon"); }),
              HasSubstr("memory 'lstm' has no use for --grant"));
  options.queue.grant = Q::Grant::Epsilon;
  EXPECT_THAT(error_text([&] { options.validate(); }), HasSubstr("is not a priority queue"));
  options = memory_options("npq_w");
  EXPECT_THAT(error_text([&] { set_flag(options, "memory-scope", "graph"); }),
              HasSubstr("no use for --memory-scope"));
}

TEST(MemoryOptions, AControlHasNoUseForWhatConcernsAState) {
  auto constant = memory_options("constant"), mean = memory_options("global_mean");
  for (const auto& [flag, value] :
       {std::pair{"slots", "4"}, {"carry", "all"}, {"queue-width", "8"}})
    for (auto* options : {&constant, &mean})
      EXPECT_THAT(error_text([&] { set_flag(*options, flag, value); }),
                  HasSubstr(std::string("has no use for --") + flag));
  set_flag(mean, "message-pool", "sum");
  EXPECT_EQ(mean.message_pool, Pool::Sum);
  EXPECT_THAT(error_text([&] { set_flag(constant, "message-pool", "sum"); }),
              HasSubstr("no use for --message-pool"));
}

TEST(MemoryFlags, SetTheChoicesTheyName) {
  auto options = memory_options("npq_w");
  set_flag(options, "carry", "first_step");
  set_flag(options, "slots", "7");
  set_flag(options, "write-slot", "rotate");
  set_flag(options, "mask-second-softmax", "off");
  EXPECT_EQ(options.carry, Carry::FirstStep);
  EXPECT_EQ(options.slots, 7);
  EXPECT_EQ(options.queue.write_slot, Q::WriteSlot::Rotate);
  EXPECT_FALSE(options.queue.mask_second_softmax);
  set_flag(options, "slots", "auto");
  EXPECT_EQ(options.slots, std::nullopt);
}

TEST(MemoryFlags, RefuseWhatIsNoChoice) {
  auto options = memory_options("npq_w");
  EXPECT_THAT(error_text([&] { set_flag(options, "grant", "epsilo"); }),
              AllOf(HasSubstr("did you mean 'epsilon'"), HasSubstr("piecewise")));
  EXPECT_THAT(error_text([&] { set_flag(options, "slots", "many"); }),
              HasSubstr("--slots is 'many'; expected a whole number"));
  EXPECT_THAT(error_text([&] { set_flag(options, "slot-right", "add"); }),
              HasSubstr("did you mean 'slot-write'"));
}

TEST(MemoryFlags, ValuesRestoreEveryOptionOfEveryRow) {
  for (const auto& row : catalog()) {
    std::vector<MemoryOptions> all = {memory_options(row.name)};
    if (row.kind == Kind::PriorityQueue) all.push_back(memory_options(row.name, Preset::Reference));
    for (const auto& options : all) {
      auto restored = memory_options(row.name);
      for (const auto& [flag, value] : flag_values(options)) set_flag(restored, flag, value);
      EXPECT_EQ(restored, options) << row.name;
    }
  }
}

}  // namespace
}  // namespace npq::memory
