// npq list: every name that a command takes, and help that points to it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/clrs/catalog.h"
#include "npq/memory/catalog.h"
#include "npq/nn/processors/catalog.h"
#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

std::string listed(const std::string& what) {
  const auto answer = run_npq({"list", what});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  return answer.out;
}

TEST(List, SaysInALineOfEveryMemoryWhatItIs) {
  const auto lines = listed("memories");
  for (const auto& row : memory::catalog())
    EXPECT_THAT(lines, ContainsRegex("\n" + std::string(row.name) + "  +[^ ]"));
  EXPECT_THAT(lines,
              ContainsRegex("\nnpq_m_p_sa +NPQ_M-P-SA: max popping \\(the best slot alone\\), "
                            "keeps what it reads, sends every value to all nodes\n"));
  EXPECT_THAT(lines, ContainsRegex("\nnpq_w_plus +NPQ_W plus: weighted popping"));
}

TEST(List, SaysInALineOfEveryProcessorWhatItIs) {
  const auto lines = listed("processors");
  for (const auto& kind : nn::kProcessors)
    EXPECT_THAT(lines, ContainsRegex("\n" + std::string(kind.name) + "  +[^ ]"));
  EXPECT_THAT(lines, AllOf(ContainsRegex("\nmpnn +maximum of learned messages from all nodes\n"),
                           ContainsRegex("\ngat +graph attention \\(GAT\\) from neighbours\n")));
}

TEST(List, NamesTheAlgorithmsAndOurTasks) {
  const auto json = nlohmann::json::parse(run_npq({"list", "algorithms", "--json"}).out);
  EXPECT_EQ(json.size(), clrs::catalog().size() + clrs::structure_tasks().size());
  EXPECT_EQ(json.back()["name"], "queue");
  EXPECT_THAT(listed("algorithms"), ContainsRegex("\ndijkstra +graphs: s A adj -> pi\n"));
}

TEST(List, IsWhereTheHelpOfTrainPointsTo) {
  for (const auto& command : {std::vector<std::string>{"train", "--help"},
                              {"bench", "train", "--help"},
                              {"check", "--help"}}) {
    const auto help = run_npq(command).out;
    for (const char* name : {"npq list memories", "npq list processors", "npq list algorithms"})
      EXPECT_THAT(help, HasSubstr(name));
  }
}

}  // namespace
}  // namespace npq::test
