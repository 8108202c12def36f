// npq predict, as a user calls it.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/torch_stored_runs.h"

namespace npq::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::put_file;

class Predict : public ::testing::Test {
 protected:
  std::string model(const std::string& algorithm) const {
    const auto path = folder_ / (algorithm + ".safetensors");
    store_model(path, small_options(algorithm));
    return path.string();
  }
  std::string input(const std::string& content) const {
    put_file(folder_ / "input.json", content);
    return (folder_ / "input.json").string();
  }

  testing::TemporaryFolder folder_;
};

const char* const kPath = R"({"nodes": 3, "edges": [[0, 1, 0.5], [1, 2, 0.7]], "source": 0})";

TEST_F(Predict, ExamplesOfTheProjectArePredicted) {
  // The examples of all families are run through their algorithms in tests/clrs.
  for (const auto& [file, algorithm] :
       {std::pair("sorting", "heapsort"), std::pair("graphs", "mst_prim"),
        std::pair("strings", "naive_string_matcher")}) {
    const auto answer = run_npq({"predict", model(algorithm), "--input",
                                 std::string(NPQ_SOURCE_DIR "/examples/") + file + ".json"});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_THAT(answer.out, AllOf(HasSubstr(algorithm), HasSubstr("predicted"), HasSubstr("true")));
  }
}

TEST_F(Predict, ShowsWhatTheAlgorithmDoesBesideThePrediction) {
  const auto answer = run_npq({"predict", model("dijkstra"), "--input", input(kPath)});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("dijkstra on 3 nodes, 4 steps"),
                                HasSubstr("true       0 0 1\n"), HasSubstr("of 3 right"),
                                HasSubstr("of 3 nodes have a parent on a shortest path")));
  EXPECT_THAT(answer.out, Not(HasSubstr("step 1\n")));
}

TEST_F(Predict, TraceShowsThePredictedHintsStepByStep) {
  const auto answer = run_npq({"predict", model("dijkstra"), "--input", input(kPath), "--trace"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* line : {"step 1\n", "step 2\n", "step 3\n", "  pi_h: ", "  in_queue: "})
    EXPECT_THAT(answer.out, HasSubstr(line));
  EXPECT_THAT(answer.out, Not(HasSubstr("step 4\n")));
}

TEST_F(Predict, JsonHoldsOutputsAndHints) {
  const auto answer = run_npq({"predict", model("dijkstra"), "--input", input(kPath), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto result = json::parse(answer.out);
  EXPECT_EQ(result["algorithm"], "dijkstra");
  EXPECT_EQ(result["outputs"]["pi"]["true"], (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(result["outputs"]["pi"]["predicted"].size(), 3u);
  EXPECT_EQ(result["hints"]["mark"]["true"], json::parse("[[1,0,0],[1,1,0],[1,1,1]]"));
  EXPECT_EQ(result["hints"]["mark"]["predicted"].size(), 3u);
}

TEST_F(Predict, PairsOfNodesAreShownRowByRow) {
  const auto answer = run_npq({"predict", model("floyd_warshall"), "--input",
                               input(R"({"nodes": 2, "edges": [[0, 1, 0.5]]})"), "--trace"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("from   0  true       0 0"),
                                HasSubstr("from   1  true       1 1"), HasSubstr("D: 4 pairs")));
}

TEST_F(Predict, ABadInputIsOneSentenceAboutItsField) {
  const auto refusal = [&](const char* algorithm, const std::string& content) {
    const auto answer = run_npq({"predict", model(algorithm), "--input", input(content)});
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    return answer.err;
  };
  EXPECT_THAT(refusal("dijkstra", R"({"nodes": 2, "edges": [[0, 5, 1]], "source": 0})"),
              HasSubstr("edges[0][1] is 5"));
  EXPECT_THAT(refusal("matrix_chain_order", R"({"p": [1, NaN]})"), HasSubstr("is no JSON"));
  EXPECT_THAT(refusal("quicksort", R"({"key": []})"), HasSubstr("'key' has 0 entries"));
}

TEST_F(Predict, ARunOrAnInputThatIsMissingIsNamed) {
  EXPECT_THAT(run_npq({"predict", "nowhere", "--input", input(kPath)}).err,
              HasSubstr("there is no run folder 'nowhere'"));
  EXPECT_THAT(run_npq({"predict", model("bfs"), "--input", "nowhere.json"}).err,
              HasSubstr("cannot read 'nowhere.json'"));
  EXPECT_EQ(run_npq({"predict", model("bfs")}).exit_code, 2);
  EXPECT_EQ(run_npq({"predict", model("bfs"), "--input", "x", "--which", "both"}).exit_code, 2);
}

TEST_F(Predict, HelpDescribesTheFormatOfEveryAlgorithm) {
  const auto answer = run_npq({"predict", "--help"});
  EXPECT_EQ(answer.exit_code, 0);
  for (const auto& algorithm : clrs::catalog())
    EXPECT_THAT(answer.out, HasSubstr(std::string(algorithm.name)));
}

}  // namespace
}  // namespace npq::test
