// npq predict, as a user calls it.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/torch_stored_runs.h"

namespace npq::test {
namespace {

using nlohmann::json;
using test::put_file;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

  test::TemporaryFolder folder_;
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
  EXPECT_THAT(refusal("matrix_chain_order", R"({"p": [1, NaN]})"), HasSubstr("is malformed JSON"));
  EXPECT_THAT(refusal("quicksort", R"({"key": []})"), HasSubstr("'key' has 0 entries"));
}

TEST_F(Predict, SeveralInputsAreAnsweredInTheirOrder) {
  const std::string other = R"({"nodes": 2, "edges": [[0, 1, 0.5]], "source": 1})";
  for (const auto& content :
       {"[" + std::string(kPath) + ", " + other + "]", kPath + ("\n\n" + other) + "\n"}) {
    const auto answer =
        run_npq({"predict", model("dijkstra"), "--input", input(content), "--json"});
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    std::istringstream lines(answer.out);
    std::vector<json> answers;
    for (std::string line; std::getline(lines, line);) answers.push_back(json::parse(line));
    ASSERT_EQ(answers.size(), 2u);
    EXPECT_EQ(answers[0]["outputs"]["pi"]["true"], (std::vector<int>{0, 0, 1}));
    EXPECT_EQ(answers[1]["outputs"]["pi"]["true"], (std::vector<int>{1, 1}));
    const auto out = (folder_ / "new" / "answers.jsonl").string();
    const auto kept =
        run_npq({"predict", model("dijkstra"), "--input", input(content), "--out", out});
    EXPECT_THAT(kept.out, HasSubstr("the answers to 2 inputs"));
    EXPECT_EQ(test::file_content(out), answer.out);
  }
  const auto wrong = run_npq(
      {"predict", model("dijkstra"), "--input", input(std::string(kPath) + "\n{\"nodes\": 0}\n")});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("input.json', line 2: "));
  EXPECT_THAT(run_npq({"predict", model("dijkstra"), "--input", input("[]")}).err,
              HasSubstr("is an empty list"));
}

TEST_F(Predict, StandardInputIsAFileLikeOthers) {
  const auto answer = run_program("/bin/sh", {"-c", "exec \"$0\" predict \"$1\" --input - < \"$2\"",
                                              npq_program(), model("dijkstra"), input(kPath)});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("true       0 0 1\n"));
}

TEST_F(Predict, AnInputOutsideOfWhatTheModelWasTrainedOnIsWarnedOf) {
  const auto warning = [&](const char* algorithm, const std::string& content) {
    const auto answer = run_npq({"predict", model(algorithm), "--input", input(content)});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    return answer.err;
  };
  EXPECT_EQ(warning("dijkstra", kPath), "");
  EXPECT_THAT(warning("dijkstra", R"({"nodes": 2, "edges": [[0, 1, 1.4]], "source": 0})"),
              HasSubstr("its weights of edges go from 0 to 1.4, and the model was trained on 0 to "
                        "1; the answer may be worth little"));
  EXPECT_THAT(warning("minimum", R"({"key": [0.5, 7]})"), HasSubstr("numbers of 'key'"));
  EXPECT_EQ(warning("bfs", R"({"nodes": 64, "edges": [[0, 1]], "source": 0})"), "");
  EXPECT_THAT(warning("bfs", R"({"nodes": 65, "edges": [[0, 1]], "source": 0})"),
              HasSubstr("it has 65 nodes, and the model was trained on at most 16"));
  const auto example =
      run_npq({"predict", model("dijkstra"), "--input", NPQ_SOURCE_DIR "/examples/graphs.json"});
  EXPECT_EQ(example.err, "");
}

TEST_F(Predict, ARunOrAnInputThatIsMissingIsNamed) {
  EXPECT_THAT(run_npq({"predict", "nowhere", "--input", input(kPath)}).err,
              HasSubstr("there is no run folder 'nowhere'"));
  EXPECT_THAT(run_npq({"predict", model("bfs"), "--input", "nowhere.json"}).err,
              HasSubstr("cannot read 'nowhere.json'"));
  EXPECT_EQ(run_npq({"predict", model("bfs")}).exit_code, 2);
  EXPECT_EQ(run_npq({"predict", model("bfs"), "--input", "x", "--which", "all"}).exit_code, 2);
}

TEST_F(Predict, HelpDescribesTheFormatOfEveryAlgorithm) {
  const auto answer = run_npq({"predict", "--help"});
  EXPECT_EQ(answer.exit_code, 0);
  for (const auto& algorithm : clrs::catalog())
    EXPECT_THAT(answer.out, HasSubstr(std::string(algorithm.name)));
}

}  // namespace
}  // namespace npq::test
