// Pushing: examples by hand and gradients by differences.
#include <gmock/gmock.h>

#include "npq/kernels/queue_push/queue_push.h"
#include "tests/kernels/suite.h"

namespace npq::kernels {
namespace {

using Q = QueueChoices;

using test::Arrays;
using ::testing::ElementsAre;

/// Three slots of one number: strengths 0.5, 0.3, 0.2 (or what the test sets), written at 0, 1, 2.
struct Queue {
  QueuePushShape shape{1, 3, 1, 7};
  std::vector<float> v = {1, 2, 3}, s = {0.5f, 0.3f, 0.2f}, total = {0, 0, 0}, new_v = {9},
                     new_s = {0.6f};
  std::vector<std::int64_t> written = {0, 1, 2}, write_slot = {2};
  std::vector<std::uint8_t> alive = {0, 0, 0}, onto = {0};
  std::vector<std::int32_t> target = {0};

  void push() {
    queue_push_forward<float>(shape,
                              {v.data(), s.data(), total.data(), new_v.data(), new_s.data(),
                               written.data(), write_slot.data()},
                              {v.data(), s.data(), written.data(), write_slot.data(), alive.data(),
                               target.data(), onto.data()},
                              1);
  }
};

TEST(QueuePush, AnElementPoppedEmptyMakesRoomForTheNewOne) {
  Queue queue;
  queue.total = {0.1f, 0.3f, 0.9f};
  queue.push();
  EXPECT_THAT(queue.v, ElementsAre(1, 9, 0));
  EXPECT_THAT(queue.s, ElementsAre(0.4f, 0.6f, 0));
  EXPECT_THAT(queue.written, ElementsAre(0, 7, -1));
}

TEST(QueuePush, AFullQueueGivesUpItsWeakestOrOldest) {
  Queue weakest;
  weakest.push();
  EXPECT_THAT(weakest.v, ElementsAre(1, 2, 9));
  Queue oldest;
  oldest.shape.full_queue = Q::FullQueue::Oldest;
  oldest.push();
  EXPECT_THAT(oldest.v, ElementsAre(9, 2, 3));
  Queue keeping;
  keeping.shape.pop = Q::Pop::Keep;
  keeping.push();
  EXPECT_THAT(keeping.v, ElementsAre(9, 2, 3));
  EXPECT_THAT(keeping.s, ElementsAre(0.5f, 0.3f, 0.2f));  // untouched
}

TEST(QueuePush, TheOldCodeAddsToSlotZeroOfAFullQueue) {
  Queue queue;
  queue.shape.full_queue = Q::FullQueue::Add;
  queue.push();
  EXPECT_THAT(queue.v, ElementsAre(10, 2, 3));
  EXPECT_THAT(queue.s, ElementsAre(1.1f, 0.3f, 0.2f));
}

TEST(QueuePush, AnElementWithoutStrengthTakesNoSlot) {
  Queue queue;
  queue.new_s = {0};
  queue.push();
  EXPECT_THAT(queue.v, ElementsAre(1, 2, 3));
  EXPECT_EQ(queue.target[0], -1);
}

TEST(QueuePush, TheSlotMayBeChosenBeforehandOrInTurn) {
  Queue before;
  before.shape.write_slot = Q::WriteSlot::PreviousStep;
  before.total = {0.5f, 0, 0};
  before.push();
  EXPECT_THAT(before.v, ElementsAre(0, 2, 9));
  EXPECT_THAT(before.write_slot, ElementsAre(0));
  Queue turning;
  turning.shape.write_slot = Q::WriteSlot::Rotate;
  turning.push();  // step 7 of 3 slots
  EXPECT_THAT(turning.v, ElementsAre(1, 9, 3));
}

/// The push as a function of v, s, total, new_v, new_s.
template <class Number>
test::Calls<Number> calls(const QueuePushShape& s) {
  struct Kept {
    std::vector<std::int64_t> written, next_written, write_slot;
    std::vector<std::uint8_t> alive, onto;
    std::vector<std::int32_t> target;
  };
  const auto kept = std::make_shared<Kept>();
  const std::size_t slots = std::size_t(s.batch) * s.slots;
  for (std::size_t j = 0; j < slots; ++j)
    kept->written.push_back(std::int64_t(j % s.slots) -
                            (s.pop == Q::Pop::Keep && j % 4 == 3 ? 9 : 0));
  kept->next_written.resize(slots), kept->alive.resize(slots);
  kept->write_slot.resize(s.batch), kept->onto.resize(s.batch), kept->target.resize(s.batch);
  const auto outputs = [kept](auto& out) {
    return QueuePushOutputs<Number>{const_cast<Number*>(out[0].data()),
                                    const_cast<Number*>(out[1].data()),
                                    kept->next_written.data(),
                                    kept->write_slot.data(),
                                    kept->alive.data(),
                                    kept->target.data(),
                                    kept->onto.data()};
  };
  return {"plain",
          [=](const auto& in, auto& out, int threads) {
            queue_push_forward<Number>(
                s,
                {in[0].data(), in[1].data(), in[2].data(), in[3].data(), in[4].data(),
                 kept->written.data(), kept->write_slot.data()},
                outputs(out), threads);
          },
          [=](const auto&, const auto& out, const auto& dout, auto& to, int threads) {
            queue_push_backward<Number>(
                s, outputs(out), dout[0].data(), dout[1].data(),
                {to[0].data(), to[1].data(), to[2].data(), to[3].data(), to[4].data()}, threads);
          }};
}

test::KernelCase make_case(const QueuePushShape& s) {
  const std::size_t B = s.batch, S = s.slots, F = s.width,
                    strengths = s.pop == Q::Pop::Keep ? 0 : 1;
  test::KernelCase test{
      .name = "push",
      .inputs = {B * S * F, B * S * strengths, B * S * strengths, B * F, B * strengths},
      .outputs = {B * S * F, B * S * strengths},
      .input_names = {"v", "s", "total", "new_v", "new_s"},
      .reference = calls<float>(s),
      .reference_in_double = calls<double>(s),
      .levels = {calls<float>(s)},
      .exact = false};
  test.prepare = [](Arrays<double>& in, std::mt19937&) {
    for (const int k : {1, 2, 4}) {
      for (auto& x : in[k]) x = std::abs(x) + 0.01;
    }
  };
  return test;
}

TEST(QueuePush, GradientsAreTheSlopesOfTheState) {
  for (const auto pop : {Q::Pop::Consume, Q::Pop::Keep}) {
    for (const auto write : {Q::SlotWrite::Overwrite, Q::SlotWrite::Add}) {
      for (const auto full : {Q::FullQueue::Weakest, Q::FullQueue::Oldest, Q::FullQueue::Add}) {
        QueuePushShape shape{3, 4, 2, 7};
        shape.pop = pop, shape.slot_write = write, shape.full_queue = full;
        expect_slopes(make_case(shape), 1);
        expect_threads_agree(make_case(shape), 1);
      }
    }
  }
}

}  // namespace
}  // namespace npq::kernels
