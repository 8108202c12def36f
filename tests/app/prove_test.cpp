// npq prove, as a user calls it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/browser.h"
#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

CommandAnswer prove(std::vector<std::string> args) {
  args.insert(args.begin(), {"prove", "--quiet", "--threads", "1"});
  return run_npq(args);
}

TEST(Prove, EndsWithOneLinePerDesideratumAndExitCode0WhenTheClaimsHold) {
  const auto answer = prove({"--only", "reduction", "--memory", "npq_m", "--sequences", "50"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("0 of 50"),
                                EndsWith("reducibility to priority queues: holds for 1 of 1 "
                                         "memories it is claimed for\n")));
}

TEST(Prove, AClaimThatFailsIsExitCode1) {
  // Twenty steps of a tiny network do not lower the loss by a fifth.
  const auto answer = prove({"--only", "supervision", "--memory", "npq_w", "--steps", "20",
                             "--hidden", "4", "--batch", "1", "--seeds", "1"});
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
  EXPECT_THAT(answer.out,
              HasSubstr("FAILS for 1 of 1 memories it is claimed for (npq_w); these are "
                        "20 updates, the default is --steps 200: fewer may not be "
                        "enough\n"));
}

TEST(Prove, JsonHasAKeyPerDesideratum) {
  const auto answer = prove(
      {"--only", "reduction,equivariance", "--memory", "npq_m,gru", "--sequences", "5", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto all = json::parse(answer.out);
  EXPECT_EQ(all.size(), 2u);
  EXPECT_EQ(all["reduction"]["memories"].size(), 1u);  // a GRU has no keys
  EXPECT_EQ(all["equivariance"]["memories"].size(), 2u);
  EXPECT_LE(all["equivariance"]["memories"][1]["largest_difference"].get<double>(), 1e-10);
}

TEST(Prove, ThePageStandsAlone) {
  const test::TemporaryFolder folder;
  const auto path = (folder / "deep" / "proofs.html").string();
  const auto answer =
      prove({"--only", "reduction", "--memory", "npq_m,npq_w", "--sequences", "5", "--out", path});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto page = test::file_content(path);
  EXPECT_THAT(
      page,
      AllOf(HasSubstr("<h2>Reducibility to priority queues: <b class=\"good\">holds</b></h2>"),
            HasSubstr("npq_w"), HasSubstr("npq prove --only reduction")));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, HasSubstr("<td class=\"short good\" data-name=\"reduction\">holds</td>"));
}

TEST(Prove, OnThePageAFailureIsSeenAndAChartAloneIsNoLargerThanOthers) {
  const test::TemporaryFolder folder;
  const auto path = (folder / "proofs.html").string();
  ASSERT_EQ(prove({"--only", "persistence,supervision", "--memory", "npq_m,npq_w", "--steps", "20",
                   "--hidden", "4", "--batch", "1", "--seeds", "1", "--out", path})
                .exit_code,
            1);
  const auto page = test::file_content(path);
  EXPECT_THAT(page, AllOf(HasSubstr(": <b class=\"bad\">FAILS</b>"),
                          HasSubstr("<td class=\"short bad\" data-name=\"supervision\">FAILS</td>"),
                          HasSubstr("On one line, in stripes: npq_m and npq_w.")));
  const auto visited =
      visit(page, 1200,
            "document.title = [...new Set([...document.querySelectorAll('.chart')].map(c => "
            "c.offsetWidth))].length + ' width of ' + document.querySelectorAll('.chart').length");
  EXPECT_EQ(visited.title, "1 width of 3");
}

TEST(Prove, WrongFlagsAreUsageErrors) {
  EXPECT_EQ(prove({"--only", "persistance"}).exit_code, 2);
  EXPECT_THAT(prove({"--only", "persistance"}).err, HasSubstr("did you mean 'persistence'"));
  EXPECT_THAT(prove({"--memory", "npq_v"}).err, HasSubstr("known: none, npq_m"));
  EXPECT_EQ(prove({"--memory", "none"}).exit_code, 2);
  EXPECT_THAT(prove({"--seeds", "1,x"}).err, HasSubstr("--seeds got '1,x'"));
  EXPECT_THAT(prove({"--sequences", "0"}).err, HasSubstr("--sequences is 0"));
}

}  // namespace
}  // namespace npq::test
