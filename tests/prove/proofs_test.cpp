#include "npq/prove/proofs.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/memory/catalog.h"
#include "tests/support/error_text.h"

namespace npq::prove {
namespace {

using npq::test::error_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

PersistenceRow row_of(const char* memory, double moved) {
  return {memory, {{.steps = 1, .moved = moved, .recovered = 1, .gradient = 1}}};
}

TEST(Proofs, HoldWhenAllThatIsClaimedHolds) {
  Proofs proofs;
  proofs.persistence = {row_of("npq_m", 0), row_of("lstm", 1)};  // nobody claims it of gates
  EXPECT_TRUE(proofs.hold());
  proofs.persistence->push_back(row_of("npq_w", 1));
  EXPECT_FALSE(proofs.hold());
}

TEST(Proofs, EquivarianceIsClaimedOfEveryMemory) {
  Proofs proofs;
  proofs.equivariance = {{"lstm", {{"mpnn", 1e-3, 8}}}};
  EXPECT_FALSE(proofs.hold());
}

TEST(Proofs, ConcludeInOneSentence) {
  EXPECT_EQ(
      conclusion(Desideratum::Persistence,
                 {{"npq_m", true, true}, {"queue", false, true}, {"lstm", false, false}}),
      "memory-persistence: holds for 1 of 1 memories it is claimed for; also holds for queue; "
      "not for lstm");
  EXPECT_EQ(conclusion(Desideratum::Reduction, {{"npq_m", true, false}, {"npq_m_sa", true, true}}),
            "reducibility to priority queues: FAILS for 1 of 2 memories it is claimed for (npq_m)");
  EXPECT_THAT(conclusion(Desideratum::Supervision, {{"gru", false, true}}),
              HasSubstr("nothing is claimed of these memories"));
}

TEST(Proofs, JsonHasOneKeyPerDesideratumThatWasAskedFor) {
  Proofs proofs;
  proofs.persistence = {row_of("npq_m", 0)};
  const auto all = to_json(proofs);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all["persistence"]["holds"], true);
  const auto& row = all["persistence"]["memories"][0];
  EXPECT_EQ(row["memory"], "npq_m");
  EXPECT_EQ(row["claimed"], true);
  EXPECT_EQ(row["points"][0]["steps"], 1);
}

TEST(ProveOptions, MeanEveryRowOfTheCatalogButNoneInItsOrder) {
  ProveOptions options;
  EXPECT_EQ(options.rows().size(), memory::catalog().size() - 1);
  options.memories = {"lstm", "NPQ_W-P"};
  EXPECT_THAT(options.rows(), ElementsAre("npq_w_p", "lstm"));
}

TEST(ProveOptions, WrongOnesAreUsageErrors) {
  EXPECT_THAT(error_text([] { find_desideratum("persistance"); }),
              HasSubstr("did you mean 'persistence'"));
  ProveOptions options;
  options.steps = 19;
  EXPECT_THAT(error_text([&] { options.validate(); }), HasSubstr("--steps is 19"));
  options = {};
  options.memories = {"none"};
  EXPECT_THAT(error_text([&] { options.validate(); }), HasSubstr("remembers nothing"));
}

}  // namespace
}  // namespace npq::prove
