// npq data and npq bench data as a user meets them: files, and one clear sentence for each mistake.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "npq/base/formats/npz.h"
#include "npq/base/formats/safetensors.h"
#include "npq/clrs/dataset/dataset.h"
#include "tests/support/run_command.h"
#include "tests/support/small_disk.h"
#include "tests/support/temporary_folder.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// One line on standard error that holds `text`, and the exit code.
void expect_refusal(const std::vector<std::string>& args, int code, const std::string& text) {
  const auto answer = run_npq(args);
  EXPECT_EQ(answer.exit_code, code) << answer.err;
  EXPECT_THAT(answer.err, AllOf(StartsWith("npq: "), HasSubstr(text)));
  EXPECT_THAT(answer.out, IsEmpty());
}

TEST(DataList, ShowsThirtyAlgorithmsAndOurTasksAsTableAndAsJson) {
  const auto table = run_npq({"data", "list"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_THAT(table.out, HasSubstr("strongly_connected_components"));
  const auto json = nlohmann::json::parse(run_npq({"data", "list", "--json"}).out);
  ASSERT_EQ(json.size(), 33u);
  EXPECT_EQ(json[0]["name"], "insertion_sort");
  EXPECT_EQ(json[0]["trace_lengths"]["test"]["max"], 64);
  const char* const ours[] = {"priority_queue", "stack", "queue"};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(json[30 + k]["name"], ours[k]);
    EXPECT_TRUE(json[30 + k]["trace_lengths"].is_null());  // they have no official splits
    EXPECT_THAT(table.out, HasSubstr(std::string("\n") + ours[k] + " "));
  }
}

TEST(DataExport, WritesTheSamplesOfASplitInTheBenchmarksTypes) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_npq({"data", "export", "dfs", "--split", "val", "--samples", "2", "--out",
                     folder.path().string(), "--quiet"})
                .exit_code,
            0);
  const auto file = SafetensorsFile::open(folder / "dfs.safetensors");
  const auto& algorithm = clrs::find_algorithm("dfs");
  auto options = clrs::official_split(algorithm, clrs::Split::Val);
  options.samples = 2;
  const auto dataset = clrs::generate(algorithm, options);
  const auto A = dataset.samples[1].series("A").frame<double>(0);
  EXPECT_EQ(file.values<std::int64_t>("1/input/A"), std::vector<std::int64_t>(A.begin(), A.end()));
  EXPECT_EQ(file.at("1/hint/color").shape, (std::vector<std::int64_t>{48, 16, 3}));
  EXPECT_EQ(file.values<std::int64_t>("0/length"), std::vector<std::int64_t>{48});
  EXPECT_EQ(file.metadata().at("algorithm"), "dfs");
}

TEST(DataExport, PadsAWholeSplitIntoOneArrayPerName) {
  const test::TemporaryFolder folder;
  const std::vector<std::string> common = {
      "--nodes",  "6",      "--samples", "5", "--seed", "4", "--out", folder.path().string(),
      "--padded", "--quiet"};
  for (const char* format : {"safetensors", "npz"}) {
    std::vector<std::string> args = {"data", "export", "bfs", "--format", format};
    args.insert(args.end(), common.begin(), common.end());
    ASSERT_EQ(run_npq(args).exit_code, 0) << format;
  }
  const auto file = SafetensorsFile::open(folder / "bfs.safetensors");
  const auto lengths = file.values<double>("lengths");
  const auto longest = static_cast<std::int64_t>(*std::max_element(lengths.begin(), lengths.end()));
  EXPECT_EQ(file.at("hint/reach_h").shape, (std::vector<std::int64_t>{longest, 5, 6}));
  EXPECT_EQ(file.at("input/A").shape, (std::vector<std::int64_t>{5, 6, 6}));
  const auto npz = NpzFile::open(folder / "bfs.npz");
  EXPECT_EQ(npz.read("hint/pi_h").values<double>(), file.values<double>("hint/pi_h"));
}

TEST(DataExport, DoesNotOverwriteAFileUnlessForced) {
  const test::TemporaryFolder folder;
  const auto path = folder / "minimum.safetensors";
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"data",    "export",    "bfs",
                                     "minimum", "--samples", "1",
                                     "--quiet", "--out",     folder.path().string()};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  };
  test::put_file(path, "mine");
  expect_refusal(with({}), 1, "minimum.safetensors' is there already; --force overwrites it");
  EXPECT_EQ(test::file_content(path), "mine");
  EXPECT_EQ(test::entries_in(folder.path()), 1);  // of the others none was begun
  EXPECT_EQ(run_npq(with({"--format", "npz"})).exit_code, 0);
  EXPECT_EQ(run_npq(with({"--force"})).exit_code, 0);
  EXPECT_EQ(SafetensorsFile::open(path).metadata().at("algorithm"), "minimum");
}

TEST(DataExport, GivesTheSameBytesWhateverTheNumberOfThreads) {
  const test::TemporaryFolder folder;
  for (const char* threads : {"1", "3"})
    ASSERT_EQ(
        run_npq({"data", "export", "mst_kruskal", "--nodes", "12", "--samples", "40", "--seed", "3",
                 "--threads", threads, "--quiet", "--out", (folder / threads).string()})
            .exit_code,
        0);
  EXPECT_EQ(test::file_content(folder / "1/mst_kruskal.safetensors"),
            test::file_content(folder / "3/mst_kruskal.safetensors"));
}

TEST(DataVerify, EndsWithOneLineThatCounts) {
  const auto answer = run_npq({"data", "verify", "bfs", "binary_search", "--quiet"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_THAT(answer.out, ::testing::EndsWith("6 splits, 45 arrays: all match\n"));
}

TEST(DataMistakes, AnUnknownAlgorithmNamesTheNearest) {
  expect_refusal({"data", "show", "dijkstr"}, 2,
                 "no algorithm 'dijkstr'; did you mean 'dijkstra'?");
  expect_refusal({"data", "verify", "bubble"}, 2, "did you mean 'bubble_sort'?");
}

TEST(DataMistakes, ATaskOfOursHasNoHashToBeVerifiedBy) {
  for (const char* task : {"stack", "queue", "priority_queue"})
    expect_refusal({"data", "verify", "bfs", task}, 2,
                   std::string("'") + task + "' is a task of ours: no hashes are published");
}

TEST(DataMistakes, TooFewNodesSayHowManyAreNeeded) {
  expect_refusal({"data", "show", "strongly_connected_components", "--nodes", "3"}, 2,
                 "strongly_connected_components needs at least 4 nodes, but 3 were asked for");
}

TEST(DataMistakes, ProbabilitiesLieBetweenZeroAndOne) {
  const test::TemporaryFolder folder;
  for (const char* p : {"0", "1.5", "-0.1", "nan"})
    expect_refusal({"data", "export", "bfs", "--p", p, "--out", folder.path().string()}, 2,
                   "give numbers above 0 and at most 1");
  expect_refusal({"data", "export", "bfs", "--p", "0.1;0.2", "--out", folder.path().string()}, 2,
                 "expected numbers separated by commas");
  EXPECT_EQ(test::entries_in(folder.path()), 0);
}

TEST(DataMistakes, ZeroSamplesAreRefused) {
  const test::TemporaryFolder folder;
  expect_refusal({"data", "export", "bfs", "--samples", "0", "--out", folder.path().string()}, 2,
                 "0 samples were asked for; expected at least 1");
}

TEST(DataMistakes, AFolderThatCannotBeWrittenIsOneSentence) {
  const test::TemporaryFolder folder;
  test::put_file(folder / "file", "");
  expect_refusal(
      {"data", "export", "bfs", "--samples", "1", "--out", (folder / "file/below").string()}, 1,
      "cannot create");
}

TEST(DataMistakes, ADiskThatFillsUpLeavesNothingBehind) {
  const test::TemporaryFolder folder;
  {
    const test::SmallDisk disk(100'000);
    expect_refusal({"data", "export", "floyd_warshall", "--split", "test", "--quiet", "--out",
                    folder.path().string()},
                   1, "cannot write");
  }
  EXPECT_EQ(test::entries_in(folder.path()), 0);
}

TEST(DataMistakes, WrongFlagsAreUsage) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{"data"},
                                               {"data", "show"},
                                               {"data", "show", "bfs", "--nodse", "8"},
                                               {"data", "show", "bfs", "--nodes", "eight"},
                                               {"dta"},
                                               {}})
    EXPECT_EQ(run_npq(args).exit_code, 2) << fmt::format("{}", args.empty() ? "" : args.back());
  const test::TemporaryFolder folder;
  expect_refusal({"data", "export", "bfs", "--format", "csv", "--out", folder.path().string()}, 2,
                 "no format 'csv'");
  expect_refusal({"data", "show", "bfs", "--generator", "v2"}, 2, "no generator 'v2'");
}

TEST(Config, PrintedOptionsGiveTheSameOutputWhenReadBack) {
  const test::TemporaryFolder folder;
  const std::vector<std::string> args = {"data", "show", "bfs", "--nodes", "7", "--seed", "5"};
  auto print = args;
  print.push_back("--print-config");
  test::put_file(folder / "config.json", run_npq(print).out);
  EXPECT_EQ(run_npq({"data", "show", "--config", (folder / "config.json").string(), "bfs"}).out,
            run_npq(args).out);
  // The command line wins over the file.
  EXPECT_THAT(run_npq({"data", "show", "bfs", "--config", (folder / "config.json").string(),
                       "--nodes", "4"})
                  .out,
              StartsWith("bfs on 4 nodes, seed 5"));
}

TEST(Help, EveryCommandTeachesWithExamples) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"data", "list"},
                                                  {"data", "show"},
                                                  {"data", "export"},
                                                  {"data", "verify"},
                                                  {"bench", "data"}}) {
    auto args = command;
    args.push_back("--help");
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, 0);
    EXPECT_THAT(answer.out, HasSubstr("Examples:\n  npq " + command[0] + " " + command[1]));
  }
}

TEST(BenchData, ReportsOneLargeSample) {
  const auto json = nlohmann::json::parse(
      run_npq({"bench", "data", "--algorithm", "dijkstra", "--nodes", "1024", "--json"}).out);
  EXPECT_GT(json["seconds"].get<double>(), 0);
  EXPECT_GT(json["peak_bytes"].get<double>(), json["bytes"].get<double>());
  EXPECT_EQ(json["nodes"], 1024);
}

}  // namespace
}  // namespace npq::test
