// From an experiment's file to the list of its runs.
#include "npq/experiment/plan.h"

#include <gmock/gmock.h>

#include <set>

#include "npq/experiment/catalog.h"
#include "tests/experiment/fake_program.h"
#include "tests/support/error_text.h"

namespace npq::experiment {
namespace {

using npq::test::error_text;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

std::vector<std::string> keys(const Plan& plan) {
  std::vector<std::string> keys;
  for (const auto& run : plan.runs) keys.push_back(run.key());
  return keys;
}

TEST(Plan, HasEveryAlgorithmWithEveryMethodOneSeedAfterTheOther) {
  EXPECT_THAT(keys(small_plan({.only = "^bfs", .seeds = {7, 2}})),
              ElementsAre("bfs/mpnn/Baseline/seed7", "bfs/mpnn/Oracle PQ/seed7",
                          "bfs/mpnn/Baseline/seed2", "bfs/mpnn/Oracle PQ/seed2"));
}

TEST(Plan, SizesAreSortedAndGivenOnce) {
  EXPECT_THAT(small_plan().runs[0].tests.sizes, ElementsAre(4, 8));
  EXPECT_THAT(small_plan({.sizes = {16, 4, 16}}).runs[0].tests.sizes, ElementsAre(4, 16));
}

/// Two blocks, the second with tests of its own.
Experiment with_tests() {
  return parse_experiment("tests", R"({
    "title": "Tests", "seeds": [1], "steps": 5,
    "sizes": [8, 4], "samples": {"8": 3}, "ablate": ["zero", "empty"],
    "runs": [{"algorithms": ["bfs"], "processors": ["mpnn"],
              "methods": [{"name": "Baseline", "why": "to compare with"},
                          {"name": "NPQ_W", "flags": {"memory": "npq_w"}, "why": "the paper's"}]},
             {"algorithms": ["dfs"], "processors": ["mpnn"], "sizes": [16],
              "methods": [{"name": "NPQ_W", "flags": {"memory": "npq_w"}}]}]
  })",
                          "tests.json");
}

TEST(Plan, SaysOnHowManyGraphsAndWithoutWhatARunIsTested) {
  const auto runs = make_plan(with_tests()).runs;
  EXPECT_THAT(runs[1].tests.sizes, ElementsAre(4, 8));
  EXPECT_THAT(runs[1].tests.samples, ElementsAre(Pair(8, 3)));
  EXPECT_THAT(runs[1].tests.ablate, ElementsAre("zero", "empty"));
  EXPECT_THAT(runs[0].tests.ablate, IsEmpty()) << "there is no memory to take anything from";
  EXPECT_THAT(runs[2].tests.sizes, ElementsAre(16)) << "its block's own";
  EXPECT_THAT(runs[2].tests.ablate, IsEmpty());
}

TEST(Plan, OfOtherSizesOrSamplesKeepsTheRest) {
  const auto other = make_plan(with_tests(), {.sizes = {8, 32}}).runs[1].tests;
  EXPECT_THAT(other.sizes, ElementsAre(8, 32));
  EXPECT_THAT(other.samples, ElementsAre(Pair(8, 3)));
  EXPECT_THAT(other.ablate, ElementsAre("zero", "empty"));
  const auto fewer = make_plan(with_tests(), {.samples = 2}).runs[1].tests;
  EXPECT_THAT(fewer.samples, ElementsAre(Pair(4, 2), Pair(8, 2)));
}

TEST(Plan, SaysWhyAMethodIsThere) {
  const auto runs = make_plan(with_tests()).runs;
  EXPECT_EQ(runs[0].why, "to compare with");
  EXPECT_EQ(runs[2].why, "");
}

TEST(Plan, SamplesOfASizeThatIsNotTestedAreAnError) {
  for (const auto* samples : {R"({"16": 3})", R"({"8": 0})", R"({"8": "3"})", "3"})
    EXPECT_THAT(error_text([&] {
                  parse_experiment("x",
                                   std::string(R"({"title": "X", "seeds": [1], "steps": 5,
                      "sizes": [8], "runs": [], "samples": )") +
                                       samples + "}",
                                   "x.json");
                }),
                HasSubstr("samples"))
        << samples;
}

TEST(Plan, SizesHaveABound) {
  EXPECT_THAT(small_plan({.sizes = {4096}}).runs[0].tests.sizes, ElementsAre(4096));
  EXPECT_THAT(error_text([] {
                small_plan({.sizes = {8, 4097}});
              }),
              HasSubstr("--sizes has 4097; expected numbers from 1 to 4096"));
  EXPECT_THAT(error_text([] { small_plan({.sizes = {0}}); }), HasSubstr("--sizes has 0"));
}

TEST(Plan, OnlyIsSearchedInAlgorithmProcessorAndMethod) {
  EXPECT_THAT(keys(small_plan({.only = "d.*Oracle"})), ElementsAre("dfs/mpnn/Oracle PQ/seed1"));
  EXPECT_THAT(error_text([] { small_plan({.only = "heapsort"}); }),
              HasSubstr("searched in names such as bfs/mpnn/Baseline"));
  EXPECT_EQ(small_plan({.only = ""}).runs.size(), 4u);
  EXPECT_THAT(error_text([] { small_plan({.only = "("}); }), HasSubstr("not a regular expression"));
  EXPECT_THAT(error_text([] { small_plan({.only = "*"}); }),
              AllOf(HasSubstr("--only is '*'"), HasSubstr("has nothing before it that it repeats"),
                    HasSubstr("such as 'NPQ_W$'"), Not(HasSubstr("Mismatched"))));
}

TEST(Plan, ARunIsCalledAsTheMethodSaysAndTheCommandLineWins) {
  const auto plan = small_plan({.only = "bfs.*Oracle", .steps = 9, .flags = {{"hidden", "32"}}});
  EXPECT_THAT(plan.runs[0].arguments(),
              ElementsAre("--algorithm", "bfs", "--processor", "mpnn", "--seed", "1", "--steps",
                          "9", "--hidden", "32", "--memory", "oracle"));
  EXPECT_EQ(plan.runs[0].folder(), "bfs/mpnn/Oracle_PQ/seed1");
}

TEST(Plan, PeptidesAreTrainedByTheirOwnCommandForEpochsWithoutTests) {
  const auto plan = make_plan(find_experiment("peptides"),
                              {.only = "gcn/NPQ_W full", .seeds = {2}, .flags = {{"data", "d"}}});
  ASSERT_EQ(plan.runs.size(), 1u);
  EXPECT_THAT(plan.runs[0].tests.sizes, ::testing::IsEmpty());
  EXPECT_THAT(plan.runs[0].command(), ElementsAre("peptides", "train"));
  EXPECT_THAT(plan.runs[0].arguments(), ElementsAre("--algorithm", "peptides", "--processor", "gcn",
                                                    "--seed", "2", "--epochs", "500", "--data", "d",
                                                    "--layer", "full", "--memory", "npq_w"));
}

TEST(Plan, PeptidesHaveNoSizes) {
  EXPECT_THAT(error_text([] { make_plan(find_experiment("peptides"), {.sizes = {64}}); }),
              HasSubstr("tested while it trains"));
}

TEST(Plan, PeptidesAndAlgorithmsDoNotMix) {
  const auto error = [](const std::string& length, const std::string& algorithms) {
    return error_text([&] {
      parse_experiment("x",
                       R"({"title": "X", "seeds": [1], )" + length +
                           R"(, "runs": [{"algorithms": )" + algorithms +
                           R"(, "processors": ["gcn"], "methods": [{"name": "A"}]}]})",
                       "x.json");
    });
  };
  EXPECT_THAT(error("\"epochs\": 5", "[\"peptides\", \"bfs\"]"), HasSubstr("mixes peptides"));
  EXPECT_THAT(error("\"steps\": 5, \"sizes\": [4]", "[\"peptides\"]"), HasSubstr("mixes peptides"));
  EXPECT_THAT(error("\"epochs\": 5, \"sizes\": [4]", "[\"peptides\"]"),
              HasSubstr("which have no \"sizes\""));
}

TEST(Plan, TheSameRunTwiceIsRefused) {
  EXPECT_THAT(error_text([] { small_plan({.seeds = {1, 1}}); }), HasSubstr("planned twice"));
}

TEST(Plan, FlagsOfACallAreNamesAndValues) {
  EXPECT_EQ(parse_flags("hidden=32,preset=reference"),
            (Flags{{"hidden", "32"}, {"preset", "reference"}}));
  EXPECT_THAT(error_text([] { parse_flags("hidden"); }), HasSubstr("hidden=32"));
  EXPECT_THAT(error_text([] { parse_flags("seed=3"); }), HasSubstr("belongs to the plan itself"));
}

TEST(ExperimentFile, WhatIsWrongIsNamed) {
  const auto refusal = [](const std::string& text) {
    return error_text([&] { parse_experiment("mine", text, "mine.json"); });
  };
  const std::string head = R"({"title": "T", "seeds": [1], "steps": 5, "sizes": [8], )";
  EXPECT_THAT(refusal("[]"),
              AllOf(HasSubstr("'mine.json'"), HasSubstr("is a list instead of a JSON object"),
                    HasSubstr("docs/experiments.md")));
  EXPECT_THAT(refusal("{\n\"seeds\": [1e999]}"), HasSubstr("1e999 at line 2, column 15"));
  EXPECT_THAT(refusal(R"({"title": "T", "seeds": []})"), HasSubstr("\"seeds\" is []"));
  EXPECT_THAT(refusal(head + R"("run": []})"), HasSubstr("did you mean 'runs'"));
  EXPECT_THAT(refusal(head + R"("runs": [{"algorithms": ["../x"]}]})"),
              HasSubstr("cannot be a folder's name"));
  EXPECT_THAT(refusal(head + R"("flags": {"out": "x"}, "runs": []})"), HasSubstr("'out'"));
  EXPECT_THAT(refusal(head + R"("flags": {"hidden": [1]}, "runs": []})"),
              HasSubstr("expected a text, a number or true"));
}

TEST(ExperimentFile, WhatIsNoJsonIsFoundByLineAndColumn) {
  const auto refusal = [](const std::string& text) {
    return error_text([&] { parse_experiment("mine", text, "mine.json"); });
  };
  EXPECT_THAT(refusal("{"), HasSubstr("line 1, column 2: unexpected end of input"));
  EXPECT_THAT(refusal("{\n  \"title\": \"T\",\n  \"steps\": 5,\n}"),
              HasSubstr("line 4, column 1: unexpected '}'; expected string literal"));
  EXPECT_THAT(refusal("{\"steps\": 5 \"seeds\": [1]}"), HasSubstr("line 1, column 19: "));
  EXPECT_THAT(refusal(""), HasSubstr("line 1, column 1: "));
  EXPECT_THAT(refusal(std::string(100000, '[')),
              HasSubstr("more than 32 deep at line 1, column 33"));
}

TEST(ExperimentFile, StepsThatAreNoneAreShown) {
  const auto refusal = [](const std::string& steps) {
    return error_text([&] {
      parse_experiment("mine", R"({"title": "T", "seeds": [1], )" + steps + R"("sizes": [8]})",
                       "mine.json");
    });
  };
  for (const std::string steps : {"\"many\"", "20.5", "1e+30", "0", "-3", "null"})
    EXPECT_THAT(refusal("\"steps\": " + steps + ", "),
                HasSubstr("\"steps\" is " + steps + "; expected a whole number from 1"));
  EXPECT_THAT(refusal(""), HasSubstr("the key \"steps\" is missing"));
}

TEST(BuiltInExperiments, HaveThePapersTables) {
  const auto runs = [](const char* name) { return make_plan(find_experiment(name)).runs.size(); };
  EXPECT_EQ(runs("dijkstra"), 9u * 3);  // the paper's eight and NPQ_W plus
  EXPECT_EQ(runs("processors"), 6u * 5 * 3);
  EXPECT_EQ(runs("clrs30"), 30u * 5 * 3);
  for (const auto& name : built_in_names()) {
    if (name.starts_with("evidence_")) continue;
    const auto experiment = find_experiment(name);
    EXPECT_EQ(experiment.steps, name == kPeptides ? 500 : 30000) << name;
    EXPECT_THAT(experiment.seeds, ElementsAre(1, 2, 3)) << name;
  }
  EXPECT_THAT(error_text([] { find_experiment("dijkstar"); }),
              HasSubstr("did you mean 'dijkstra'"));
}

TEST(BuiltInExperiments, OfEvidenceSayWhyEachRowIsThere) {
  std::set<std::string> algorithms;
  for (const auto* name :
       {"evidence_dijkstra", "evidence_length", "evidence_peptides", "evidence_clrs30"})
    for (const auto& run : make_plan(find_experiment(name)).runs) {
      EXPECT_FALSE(run.why.empty()) << name << ": " << run.key();
      EXPECT_EQ(run.tests.sizes.empty(), run.algorithm == kPeptides);
      algorithms.insert(run.algorithm);
    }
  EXPECT_EQ(algorithms.size(), 31u) << "30 and peptides";
}

TEST(BuiltInExperiments, EveryFileOfTheFolderIsOne) {
  std::ptrdiff_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(NPQ_SOURCE_DIR "/experiments"))
    files += entry.path().extension() == ".json";
  EXPECT_EQ(files, std::ssize(built_in_names()));
}

TEST(ExperimentFile, IsFoundByItsPath) {
  const test::TemporaryFolder folder;
  test::put_file(folder / "mine.json",
                 R"({"title": "Mine", "seeds": [4], "steps": 2, "sizes": [4], "runs": [
                    {"algorithms": ["bfs"], "processors": ["mpnn"], "methods": [{"name": "A"}]}]})");
  const auto experiment = find_experiment((folder / "mine.json").string());
  EXPECT_EQ(experiment.name, "mine");
  EXPECT_THAT(keys(make_plan(experiment)), ElementsAre("bfs/mpnn/A/seed4"));
}

}  // namespace
}  // namespace npq::experiment
