// The message kernel at every level, against the plain loops.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/kernels/message_cases.h"

namespace npq::kernels {
namespace {

constexpr Senders kSenders[] = {Senders::All, Senders::Self, Senders::Listed};
constexpr Delivery kMemories[] = {Delivery::Nobody, Delivery::Self, Delivery::All};

std::string describe(const NamedMessageLoops& level, const MessageShape& s, Senders senders,
                     Delivery memory) {
  return fmt::format("{} B{} N{} H{} R{} senders {} memory {}", level.name, s.batch, s.nodes,
                     s.hidden, s.channels, int(senders), int(memory));
}

/// Calls check(level, case, what) over shapes, kinds of senders and of memory rows.
template <class MakeCase, class Check>
void for_all(const std::vector<MessageShape>& shapes, const MakeCase& make, const Check& check) {
  int seed = 1;
  for (const auto& shape : shapes) {
    for (const auto senders : kSenders) {
      for (const auto memory : kMemories) {
        const auto in = make(shape, senders, memory, ++seed);
        for (const auto& level : message_loops_to_test())
          check(level, in, describe(level, shape, senders, memory));
      }
    }
  }
}

std::vector<MessageShape> awkward_shapes() {
  std::vector<MessageShape> shapes;
  for (const int hidden : test::kAwkwardSizes) shapes.push_back({2, 5, hidden, 3});
  for (const int nodes : {1, 2, 9, 17, 33}) shapes.push_back({1, nodes, 9, 2});
  shapes.push_back({3, 4, 20, 0});
  shapes.push_back({1, 3, 8, 11});
  return shapes;
}

TEST(MessageLevels, ComputeWholeNumbersExactlyAsTheReference) {
  for_all(
      awkward_shapes(), whole_case, [](const auto& level, const auto& in, const std::string& what) {
        MessageResult<float> expected(in.shape), found(in.shape);
        message_forward_reference(in.shape, in.inputs(), expected.agg.data(), expected.arg.data());
        message_forward_with(*level.loops, in.shape, in.inputs(), found.agg.data(),
                             found.arg.data(), nullptr, 1);
        EXPECT_TRUE(found.agg.same_bits(expected.agg)) << what;
        EXPECT_TRUE(found.arg.same_bits(expected.arg)) << what;  // equal messages are common here
        EXPECT_TRUE(found.agg.intact() && found.arg.intact()) << what;
      });
}

TEST(MessageLevels, ComputeGradientsOfWholeNumbersExactlyAsTheReference) {
  for_all(
      awkward_shapes(), whole_case, [](const auto& level, const auto& in, const std::string& what) {
        MessageResult<float> forward(in.shape);
        message_forward_reference(in.shape, in.inputs(), forward.agg.data(), forward.arg.data());
        std::mt19937 random(5);
        const auto dagg = Guarded<float>::whole(forward.agg.size(), 2, random);
        MessageGradientArrays<float> expected(in), found(in);
        message_backward_reference(in.shape, in.inputs(), forward.arg.data(), dagg.data(),
                                   expected.pointers());
        message_backward_with(*level.loops, in.shape, in.inputs(), forward.arg.data(), dagg.data(),
                              nullptr, found.pointers(), 1);
        for (std::size_t i = 0; i < found.all().size(); ++i) {
          EXPECT_EQ(test::relative_distance(*found.all()[i], *expected.all()[i]), 0)
              << what << " " << found.names()[i];
          EXPECT_TRUE(found.all()[i]->intact()) << what << " " << found.names()[i];
        }
      });
}

TEST(MessageLevels, AgreeWithTheReferenceUpToTheOrderOfSums) {
  const std::vector<MessageShape> shapes = {{2, 6, 33, 3}, {1, 9, 96, 3}};
  for_all(shapes, normal_case, [](const auto& level, const auto& in, const std::string& what) {
    MessageResult<float> expected(in.shape), found(in.shape);
    message_forward_reference(in.shape, in.inputs(), expected.agg.data(), expected.arg.data());
    message_forward_with(*level.loops, in.shape, in.inputs(), found.agg.data(), found.arg.data(),
                         nullptr, 1);
    // Two sums of H terms, H <= 128, in another order: 128 * 2^-24; tiles round factors to 2^-16.
    EXPECT_LT(test::relative_distance(found.agg, expected.agg),
              level.rounds_to_16_bits ? 3e-5 : 1e-6)
        << what;

    std::mt19937 random(5);
    const auto dagg = Guarded<float>::normal(found.agg.size(), 1, random);
    MessageGradientArrays<float> expected_gradients(in), gradients(in);
    message_backward_reference(in.shape, in.inputs(), expected.arg.data(), dagg.data(),
                               expected_gradients.pointers());
    message_backward_with(*level.loops, in.shape, in.inputs(), expected.arg.data(), dagg.data(),
                          nullptr, gradients.pointers(), 1);
    // The same, and a y next to 0 may fall on the other side: one of thousands of terms.
    for (std::size_t i = 0; i < gradients.all().size(); ++i) {
      EXPECT_LT(test::relative_distance(*gradients.all()[i], *expected_gradients.all()[i]),
                level.rounds_to_16_bits ? 1e-3 : 1e-4)
          << what << " " << gradients.names()[i];
    }
  });
}

TEST(MessageLevels, GiveTheSameBitsOnAnyNumberOfThreads) {
  const std::vector<MessageShape> shapes = {{1, 17, 24, 3}, {3, 7, 32, 2}, {19, 3, 16, 1}};
  for_all(shapes, normal_case, [](const auto& level, const auto& in, const std::string& what) {
    std::mt19937 random(5);
    MessageResult<float> one(in.shape);
    const auto dagg = Guarded<float>::normal(one.agg.size(), 1, random);
    message_forward_with(*level.loops, in.shape, in.inputs(), one.agg.data(), one.arg.data(),
                         nullptr, 1);
    MessageGradientArrays<float> one_gradients(in);
    message_backward_with(*level.loops, in.shape, in.inputs(), one.arg.data(), dagg.data(), nullptr,
                          one_gradients.pointers(), 1);
    for (const int threads : {2, 3}) {
      MessageResult<float> more(in.shape);
      message_forward_with(*level.loops, in.shape, in.inputs(), more.agg.data(), more.arg.data(),
                           nullptr, threads);
      EXPECT_TRUE(more.agg.same_bits(one.agg) && more.arg.same_bits(one.arg)) << what;
      MessageGradientArrays<float> gradients(in);
      message_backward_with(*level.loops, in.shape, in.inputs(), one.arg.data(), dagg.data(),
                            nullptr, gradients.pointers(), threads);
      for (std::size_t i = 0; i < gradients.all().size(); ++i)
        EXPECT_TRUE(gradients.all()[i]->same_bits(*one_gradients.all()[i]))
            << what << " " << gradients.names()[i];
    }
  });
}

TEST(MessageLevels, GiveTheSameGradientsWhetherTheMiddleLayerIsKeptOrComputedAgain) {
  std::vector<MessageShape> shapes = awkward_shapes();
  shapes.push_back({2, 16, 128, 3});
  int seed = 1;
  for (const auto& shape : shapes) {
    for (const auto memory : kMemories) {
      const auto in = normal_case(shape, Senders::All, memory, ++seed);
      for (const auto& level : message_loops_to_test()) {
        const auto what = describe(level, shape, Senders::All, memory);
        MessageResult<float> plain(shape), keeping(shape);
        Guarded<float> kept(shape.batch * kept_floats(shape, memory));
        message_forward_with(*level.loops, shape, in.inputs(), plain.agg.data(), plain.arg.data(),
                             nullptr, 2);
        message_forward_with(*level.loops, shape, in.inputs(), keeping.agg.data(),
                             keeping.arg.data(), kept.data(), 2);
        EXPECT_TRUE(keeping.agg.same_bits(plain.agg) && keeping.arg.same_bits(plain.arg)) << what;
        EXPECT_TRUE(kept.intact()) << what;

        std::mt19937 random(5);
        const auto dagg = Guarded<float>::normal(plain.agg.size(), 1, random);
        MessageGradientArrays<float> again(in), from_kept(in);
        message_backward_with(*level.loops, shape, in.inputs(), plain.arg.data(), dagg.data(),
                              nullptr, again.pointers(), 2);
        message_backward_with(*level.loops, shape, in.inputs(), plain.arg.data(), dagg.data(),
                              kept.data(), from_kept.pointers(), 2);
        for (std::size_t i = 0; i < again.all().size(); ++i)
          EXPECT_TRUE(from_kept.all()[i]->same_bits(*again.all()[i]))
              << what << " " << again.names()[i];
      }
    }
  }
}

TEST(MessageLevels, KeepTheMiddleLayerOfEveryPairWhereTheContractSays) {
  for (const int nodes : {3, 5, 9}) {  // a part of a block, some blocks, more than a tile
    const int H = 9, R = 2;
    const auto in = whole_case({2, nodes, H, R}, Senders::All, Delivery::Self, nodes);
    const auto y = [&](int b, int r, int s, int f) {
      float sum = in.b0[f];
      for (int h = 0; h < H; ++h) {
        float x = in.memory[(b * nodes + r) * H + h];
        if (s < nodes) {
          x = in.recv[(b * nodes + r) * H + h] + in.send[(b * nodes + s) * H + h];
          for (int k = 0; k < R; ++k)
            x += in.x[((b * nodes + s) * nodes + r) * R + k] * in.c[k * H + h];
        }
        sum += std::max(0.0f, x) * in.w0[h * H + f];
      }
      return std::max(0.0f, sum);
    };
    for (const auto& level : message_loops_to_test()) {
      MessageResult<float> found(in.shape);
      Guarded<float> kept(in.shape.batch * kept_floats(in.shape, Delivery::Self), 77);
      message_forward_with(*level.loops, in.shape, in.inputs(), found.agg.data(), found.arg.data(),
                           kept.data(), 1);
      const float* row = kept.data();
      for (int b = 0; b < 2; ++b) {
        for (int r = 0; r < nodes; ++r) {
          for (int s = 0; s <= nodes; ++s, row += kept_stride(H)) {
            for (int f = 0; f < H; ++f)
              EXPECT_EQ(row[f], y(b, r, s, f)) << level.name << " " << b << r << s << " " << f;
          }
        }
      }
      EXPECT_TRUE(row == kept.end() && kept.intact()) << level.name;
    }
  }
}

TEST(MessageLevels, LeaveOutTheGradientsThatNobodyAsksFor) {
  const auto in = whole_case({2, 5, 9, 3}, Senders::All, Delivery::Self, 1);
  MessageResult<float> forward(in.shape);
  message_forward_reference(in.shape, in.inputs(), forward.agg.data(), forward.arg.data());
  std::mt19937 random(5);
  const auto dagg = Guarded<float>::whole(forward.agg.size(), 2, random);
  MessageGradientArrays<float> expected(in);
  message_backward_reference(in.shape, in.inputs(), forward.arg.data(), dagg.data(),
                             expected.pointers());
  const std::uint8_t channels[] = {0, 1, 0};
  for (const auto& level : message_loops_to_test()) {
    MessageGradientArrays<float> found(in);
    MessageGradients<float> some{};
    some.x = found.x.data();
    some.x_channels = channels;
    message_backward_with(*level.loops, in.shape, in.inputs(), forward.arg.data(), dagg.data(),
                          nullptr, some, 1);
    for (std::size_t i = 0; i < found.x.size(); ++i)
      EXPECT_EQ(found.x[i], i % 3 == 1 ? expected.x[i] : 0) << level.name;
    EXPECT_EQ(found.w0[0], 77) << level.name;
  }
}

TEST(MessageLevels, LetNaNThroughWhereverItComesFrom) {
  for (const auto& level : message_loops_to_test()) {
    auto in = normal_case({1, 4, 8, 1}, Senders::All, Delivery::Nobody, 3);
    in.send[2 * 8 + 5] = std::numeric_limits<float>::quiet_NaN();
    MessageResult<float> found(in.shape);
    message_forward_with(*level.loops, in.shape, in.inputs(), found.agg.data(), found.arg.data(),
                         nullptr, 1);
    for (const float value : found.agg) EXPECT_TRUE(std::isnan(value)) << level.name;
  }
}

}  // namespace
}  // namespace npq::kernels
