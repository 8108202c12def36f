#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/temporary_folder.h"
#include "tests/train/haiku/haiku_cases.h"

namespace npq::train {
namespace {

using test::put_file;
using test::TemporaryFolder;

TEST(HaikuNames, LayersAreNumberedInTheOrderInWhichTheReferenceMakesThem) {
  // The table of tests/golden/model/README.md, section 3; P is the processor's module.
  const auto in_processor = [](const char* parameter, const char* processor,
                               const char* memory = "none") {
    const auto [module, leaf] = haiku_name(parameter, options_for("dijkstra", processor, memory));
    const std::string tag = "_clrs_processor/";
    return module.substr(module.find(tag) + tag.size()) + " " + leaf;
  };
  EXPECT_EQ(in_processor("processor/o2.b", "pgn"), "linear_5 b");
  EXPECT_EQ(in_processor("processor/t1.w", "triplet_mpnn"), "linear_6 w");
  EXPECT_EQ(in_processor("processor/t3.w", "triplet_mpnn"), "linear_8 w");
  EXPECT_EQ(in_processor("processor/te1.w", "triplet_mpnn"), "linear_9 w");
  EXPECT_EQ(in_processor("processor/tg.w", "triplet_mpnn"), "linear_12 w");
  EXPECT_EQ(in_processor("processor/o3.w", "triplet_mpnn"), "linear_13 w");
  EXPECT_EQ(in_processor("processor/g1.w", "gmpnn"), "linear_6 w");
  EXPECT_EQ(in_processor("processor/g3.b", "triplet_gmpnn"), "linear_16 b");
  EXPECT_EQ(in_processor("processor/ln.offset", "gat"), "layer_norm offset");
  EXPECT_EQ(in_processor("processor/skip.w", "gat"), "linear_1 w");
  EXPECT_EQ(in_processor("processor/a1.w", "gat"), "linear_2 w");
  EXPECT_EQ(in_processor("processor/ag.w", "gat"), "linear_5 w");
  EXPECT_EQ(in_processor("processor/w1.w", "gatv2"), "linear_2 w");
  EXPECT_EQ(in_processor("processor/ah1.w", "gatv2"), "linear_7 w");
  const std::string queue = "neural_priority_queue";
  EXPECT_EQ(in_processor("memory/s_push.w", "mpnn", "npq_w"),
            queue + "_v2_clrs_memory_module/linear w");
  EXPECT_EQ(in_processor("memory/a2.w", "mpnn", "npq_m_sa"),
            queue + "_v2_clrs_memory_module/linear_5 w");
  EXPECT_EQ(in_processor("memory/v.w", "mpnn", "npq_w_p"), queue + "_clrs_memory_module/linear w");
  EXPECT_EQ(in_processor("memory/a.w", "mpnn", "npq_w_p_sv"),
            queue + "_v1_clrs_memory_module/linear_4 w");
  EXPECT_EQ(in_processor("memory/p.b", "mpnn", "oracle"),
            "pq_hardcoded_clrs_memory_module/linear_2 b");
  EXPECT_EQ(haiku_name("encoder/Pi_h.1.w", options_for("floyd_warshall", "mpnn")).module,
            "net/~_construct_encoders_decoders/algo_0_Pi_h_enc_linear_1");
  EXPECT_EQ(haiku_name("decoder/pi.0.w", options_for("dijkstra", "gat")).module,
            "net/~_construct_encoders_decoders/algo_0_pi_dec_linear");
}

class EveryNetwork : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(EveryNetwork, ComesBackAsItWas) {
  const auto [processor, memory] = GetParam();
  const auto options = options_for("dijkstra", processor, memory);
  put_file(folder_ / "x.pkl", pickle_of(arrays_for(options)));
  const auto checkpoint =
      read_haiku_checkpoint(folder_ / "x.pkl", {.processor = processor, .memory = memory});
  EXPECT_EQ(to_json(checkpoint.options), to_json(options));
  EXPECT_FALSE(checkpoint.has_adam);
  float next = 0;
  for (const auto& entry : checkpoint.parameters)
    EXPECT_EQ(entry.value.values.front(), next++) << entry.name;
}

INSTANTIATE_TEST_SUITE_P(Processors, EveryNetwork,
                         ::testing::Combine(::testing::Values("mpnn", "pgn_mask", "triplet_mpnn",
                                                              "gmpnn", "triplet_gmpnn", "gat",
                                                              "gatv2_full"),
                                            ::testing::Values("none")));
INSTANTIATE_TEST_SUITE_P(Memories, EveryNetwork,
                         ::testing::Combine(::testing::Values("mpnn", "gat"),
                                            ::testing::Values("npq_w", "npq_m_sa", "npq_m_p",
                                                              "npq_w_p_sv", "oracle")));

}  // namespace
}  // namespace npq::train
