// The plain loops of the message kernel: examples by hand, gradients by differences.
#include <gmock/gmock.h>

#include "npq/base/simd.h"
#include "npq/kernels/calls.h"
#include "tests/kernels/message_cases.h"

namespace npq::kernels {
namespace {

using ::testing::ElementsAre;

/// Two nodes, one feature, messages m = relu(relu(recv + send + x) * 2) - 1.
MessageCase<float> small_case() {
  auto in = whole_case({1, 2, 1, 1}, Senders::All, Delivery::Nobody, 1);
  in.recv[0] = 0, in.recv[1] = 1;
  in.send[0] = 3, in.send[1] = -5;
  for (int i = 0; i < 4; ++i) in.x[i] = float(i);  // x[s,r]: 0 1 / 2 3
  in.c[0] = 1, in.w0[0] = 2, in.b0[0] = 0, in.w1[0] = 1, in.b1[0] = -1;
  return in;
}

TEST(Message, TakesTheLargestMessageAndTellsWhoSentIt) {
  const auto in = small_case();
  MessageResult<float> out(in.shape);
  message_forward_reference(in.shape, in.inputs(), out.agg.data(), out.arg.data());
  // To node 0: from 0: 0+3+0=3 -> 5; from 1: 0-5+2 -> 0 -> -1. To node 1: from 0: 1+3+1=5 -> 9;
  // from 1: -1.
  EXPECT_THAT(std::vector<float>(out.agg.begin(), out.agg.end()), ElementsAre(5, 9));
  EXPECT_THAT(std::vector<int>(out.arg.begin(), out.arg.end()), ElementsAre(0, 0));
}

TEST(Message, AReceiverHearsOnlyItsListAndAtLeastMinusAMillion) {
  auto in = small_case();
  in.senders = Senders::Listed;
  in.b1[0] = -2e6f;
  const std::uint8_t mask[] = {1, 0, 1, 0};  // both nodes send to node 0, none to node 1
  in.neighbours = list_columns(mask, 1, 2);
  MessageResult<float> out(in.shape);
  message_forward_reference(in.shape, in.inputs(), out.agg.data(), out.arg.data());
  EXPECT_THAT(std::vector<float>(out.agg.begin(), out.agg.end()), ElementsAre(-2e6f + 6, -1e6f));
  EXPECT_THAT(std::vector<int>(out.arg.begin(), out.arg.end()), ElementsAre(0, kNobody));
}

TEST(Message, SharedMemoryRowsAreHeardByAllAndOwnOnesByTheirNode) {
  auto in = small_case();
  in.memory = Guarded<float>(2);
  in.memory[0] = 4, in.memory[1] = -7;  // as messages: 7 and -1
  in.delivery = Delivery::All;
  MessageResult<float> out(in.shape);
  message_forward_reference(in.shape, in.inputs(), out.agg.data(), out.arg.data());
  EXPECT_THAT(std::vector<float>(out.agg.begin(), out.agg.end()), ElementsAre(7, 9));
  EXPECT_THAT(std::vector<int>(out.arg.begin(), out.arg.end()), ElementsAre(2, 0));
  in.delivery = Delivery::Self;
  in.memory[0] = -7, in.memory[1] = 6;  // 11 for node 1
  message_forward_reference(in.shape, in.inputs(), out.agg.data(), out.arg.data());
  EXPECT_THAT(std::vector<float>(out.agg.begin(), out.agg.end()), ElementsAre(5, 11));
  EXPECT_THAT(std::vector<int>(out.arg.begin(), out.arg.end()), ElementsAre(0, 2));
}

double loss(const MessageCase<double>& in, const Guarded<double>& weights) {
  MessageResult<double> out(in.shape);
  message_forward_reference(in.shape, in.inputs(), out.agg.data(), out.arg.data());
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * out.agg[i];
  return sum;
}

TEST(Message, GradientsAreTheSlopesOfTheResult) {
  for (const auto memory : {Delivery::Nobody, Delivery::Self, Delivery::All}) {
    for (const auto senders : {Senders::All, Senders::Self, Senders::Listed}) {
      auto in = normal_case({2, 4, 5, 2}, senders, memory, 7).as<double>();
      MessageResult<double> out(in.shape);
      message_forward_reference(in.shape, in.inputs(), out.agg.data(), out.arg.data());
      std::mt19937 random(3);
      auto weights = Guarded<double>::normal(out.agg.size(), 1, random);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        if (out.arg[i] == kNobody) weights[i] = 0;  // a million beside differences of 1e-6
      }
      MessageGradientArrays<double> gradients(in);
      message_backward_reference(in.shape, in.inputs(), out.arg.data(), weights.data(),
                                 gradients.pointers());
      Guarded<double>* inputs[] = {&in.recv, &in.send, &in.x,  &in.c,     &in.w0,
                                   &in.b0,   &in.w1,   &in.b1, &in.memory};
      for (std::size_t k = 0; k < 9; ++k) {
        for (std::size_t i = 0; i < inputs[k]->size(); ++i) {
          double& value = (*inputs[k])[i];
          const double kept = value, step = 1e-6;
          value = kept + step;
          const double above = loss(in, weights);
          value = kept - step;
          const double below = loss(in, weights);
          value = kept;
          EXPECT_NEAR((*gradients.all()[k])[i], (above - below) / (2 * step), 1e-7)
              << gradients.names()[k] << " " << i;
        }
      }
    }
  }
}

TEST(Message, TheActiveLevelComputesAndIsCounted) {
  const auto in = small_case();
  for (const auto level : available_simd_levels()) {
    const ScopedSimdLevel scope(level);
    const auto before = calls(Kernel::Message);
    MessageResult<float> out(in.shape);
    message_forward(in.shape, in.inputs(), out.agg.data(), out.arg.data(), nullptr, 1);
    EXPECT_THAT(std::vector<float>(out.agg.begin(), out.agg.end()), ElementsAre(5, 9));
    EXPECT_EQ(calls(Kernel::Message), before + 1);
  }
}

TEST(Neighbours, AreListedByColumnsAndByRows) {
  const std::uint8_t mask[] = {1, 0, 1, /**/ 0, 0, 1, /**/ 0, 0, 0};
  const auto columns = list_columns(mask, 1, 3);
  EXPECT_THAT(columns.offsets, ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(columns.list, ElementsAre(0, 0, 1));
  const auto rows = list_rows(mask, 1, 3);
  EXPECT_THAT(rows.offsets, ElementsAre(0, 2, 3, 3));
  EXPECT_THAT(rows.list, ElementsAre(0, 2, 2));
}

TEST(Neighbours, OfSeveralLargeGraphsAreTheSetBits) {
  const int B = 2, N = 21;
  std::mt19937 random(1);
  std::vector<std::uint8_t> mask(B * N * N);
  for (auto& bit : mask) bit = random() % 4 == 0;
  const auto columns = list_columns(mask.data(), B, N), rows = list_rows(mask.data(), B, N);
  for (int b = 0; b < B; ++b) {
    for (int i = 0; i < N; ++i) {
      std::vector<int> in_column, in_row;
      for (int j = 0; j < N; ++j) {
        if (mask[(b * N + j) * N + i]) in_column.push_back(j);
        if (mask[(b * N + i) * N + j]) in_row.push_back(j);
      }
      const auto listed = [&](const NeighbourLists& lists) {
        return std::vector<int>(lists.list.begin() + lists.offsets[b * N + i],
                                lists.list.begin() + lists.offsets[b * N + i + 1]);
      };
      EXPECT_EQ(listed(columns), in_column);
      EXPECT_EQ(listed(rows), in_row);
    }
  }
}

}  // namespace
}  // namespace npq::kernels
