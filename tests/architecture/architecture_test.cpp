// Every #include of npq/ and app/, every USES of npq/CMakeLists.txt, against docs/architecture.md.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "tests/architecture/layers.h"

namespace npq::architecture {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path kRoot = NPQ_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Layer> the_layers() { return parse_layers(read(kRoot / "docs/architecture.md")); }

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
      found.push_back(entry.path());
  return found;
}

TEST(Architecture, EveryIncludeOfTheLibraryAndTheProgramsKeepsTheTable) {
  const auto layers = the_layers();
  const auto from_tree = [](const std::string& path) { return read(kRoot / path); };
  int files = 0;
  for (const auto& folder : {kRoot / "npq", kRoot / "app"}) {
    for (const auto& path : sources(folder)) {
      ++files;
      for (const auto& wrong :
           violations(layers, path.lexically_relative(kRoot).string(), from_tree))
        ADD_FAILURE() << wrong;
    }
  }
  EXPECT_GT(files, 0);
}

bool exists(const Layer& layer) {
  return fs::is_directory(kRoot / layer.folder) && !sources(kRoot / layer.folder).empty();
}

TEST(Architecture, CMakeLinksEachFolderToWhatItMayUse) {
  // The table may name folders that are still to come, so what both reach is compared, among those
  // that exist.
  const auto layers = the_layers();
  const auto linked = parse_cmake_uses(read(kRoot / "npq/CMakeLists.txt"));
  std::vector<Layer> built;
  std::set<std::string> there;
  for (const auto& layer : layers) {
    if (!layer.folder.starts_with("npq/") || !exists(layer)) continue;
    const auto name = layer.folder.substr(4);
    if (name == "c") continue;  // no target of the others: it compiles what it uses for itself
    ASSERT_TRUE(linked.contains(name)) << "npq/CMakeLists.txt has no npq_library(" << name << ")";
    built.push_back({layer.folder, {linked.at(name).begin(), linked.at(name).end()}, layer.torch});
    there.insert(layer.folder);
  }
  const auto among_existing = [&](const std::set<std::string>& folders) {
    std::set<std::string> kept;  // a target is a whole folder: clrs/spec is linked as clrs
    for (const auto& folder : folders) {
      const auto whole = folder.substr(0, folder.find('/', 4));
      if (there.contains(whole)) kept.insert(whole);
    }
    return kept;
  };
  for (const auto& target : built) {
    const auto layer = std::find_if(layers.begin(), layers.end(),
                                    [&](const auto& row) { return row.folder == target.folder; });
    EXPECT_EQ(among_existing(reachable(built, target)), among_existing(reachable(layers, *layer)))
        << layer->folder << ": npq/CMakeLists.txt against docs/architecture.md";
  }
}

TEST(Architecture, OnlyOneFileParsesJson) {
  // Limits, and sentences for what is wrong, are there: npq/base/formats/json_text.
  std::vector<std::string> found;
  for (const auto& folder : {kRoot / "npq", kRoot / "app"}) {
    for (const auto& path : sources(folder)) {
      const auto text = read(path);
      for (const auto* call : {"son::parse(", "sax_parse(", "son::accept(", "_json_literal"})
        if (text.find(call) != text.npos)
          found.push_back(path.lexically_relative(kRoot).string() + ": " + call);
    }
  }
  EXPECT_THAT(found, testing::UnorderedElementsAre("npq/base/formats/json_text.cpp: son::parse(",
                                                   "npq/base/formats/json_text.cpp: sax_parse("));
}

TEST(Architecture, OnlyTwoFilesCreateFiles) {
  // What stands at the name already is looked at in one place: npq/base/files/file_to_write.
  std::vector<std::string> found;
  for (const auto& folder : {kRoot / "npq", kRoot / "app"}) {
    for (const auto& path : sources(folder)) {
      const auto text = read(path);
      for (const auto* call : {"O_CREAT", "ofstream", "fopen(", "creat("})
        if (text.find(call) != text.npos)
          found.push_back(path.lexically_relative(kRoot).string() + ": " + call);
    }
  }
  EXPECT_THAT(found, testing::UnorderedElementsAre("npq/base/files/file_to_write.cpp: O_CREAT",
                                                   "npq/base/files/atomic_file.cpp: O_CREAT"));
}

TEST(Architecture, AFolderUsesOnlyFoldersAboveItInTheTable) {
  std::set<std::string> above;
  for (const auto& layer : the_layers()) {
    for (const auto& used : layer.uses)
      EXPECT_TRUE(above.contains("npq/" + used.substr(0, used.find('/'))))
          << layer.folder << " uses " << used;
    above.insert(layer.folder);
  }
}

/// The namespace that the files of a folder open: npq/base is the root's own folder, app/ has one
/// for both programs, and a folder inside another is no namespace of its own.
std::string namespace_of(const std::string& path) {
  if (path.starts_with("app/")) return "npq::app";
  const auto folder = path.substr(4, path.find('/', 4) - 4);
  return folder == "base" ? "npq" : "npq::" + folder;
}

TEST(Architecture, AFolderIsANamespace) {
  static const std::regex opened(R"(^namespace (npq[a-z_:]*) \{$)");
  int files = 0;
  for (const auto& folder : {kRoot / "npq", kRoot / "app"}) {
    for (const auto& path : sources(folder)) {
      const auto relative = path.lexically_relative(kRoot).string();
      std::istringstream lines(read(path));
      std::smatch match;
      for (std::string line; std::getline(lines, line);) {
        if (!std::regex_match(line, match, opened)) continue;
        ++files;
        // The C library runs the kernels' jobs on threads of its own.
        if (relative == "npq/c/pool.cpp" && match[1] == "npq::kernels") continue;
        const auto wanted = namespace_of(relative);
        EXPECT_TRUE(match[1] == wanted || match[1].str().starts_with(wanted + "::"))
            << relative << " opens " << match[1] << ", expected " << wanted;
      }
    }
  }
  EXPECT_GT(files, 300);
}

/// Files that somebody wrote by hand to be read: no data, nothing that a program made.
std::vector<fs::path> written_files(const fs::path& folder) {
  static const std::set<std::string> made = {"golden", "__pycache__", "npq.egg-info"};
  std::vector<fs::path> found;
  for (auto entry = fs::recursive_directory_iterator(folder); entry != end(entry); ++entry) {
    if (entry->is_directory() && made.contains(entry->path().filename().string()))
      entry.disable_recursion_pending();
    else if (entry->is_regular_file())
      found.push_back(entry->path());
  }
  return found;
}

TEST(Architecture, FilesAndFoldersStaySmallEnoughToReadInOneGo) {
  constexpr int kMostLines = 300, kMostFiles = 40;
  static const std::set<std::string> code = {".h",   ".cpp", ".c",     ".py", ".js",
                                             ".css", ".sh",  ".cmake", ".txt"};
  std::map<std::string, int> in_folder;
  std::set<std::string> seen;
  for (const auto* top :
       {"npq", "app", "tests", "bench", "python", "tools", "cmake", "examples", "docs"}) {
    for (const auto& path : written_files(kRoot / top)) {
      const auto relative = path.lexically_relative(kRoot);
      ++in_folder[relative.parent_path().string()];
      const auto extension = path.extension().string();
      if (!code.contains(extension)) continue;
      seen.insert(extension);
      EXPECT_LE(std::ranges::count(read(path), '\n'), kMostLines) << relative;
    }
  }
  EXPECT_EQ(seen, code);  // or a kind of file is looked for in vain
  for (const auto& [folder, files] : in_folder) EXPECT_LE(files, kMostFiles) << folder;
}

const std::vector<Layer> kExample = {
    {"npq/base", {}, false},         {"npq/random", {"base"}, false},
    {"npq/clrs", {"random"}, false}, {"npq/kernels", {"base"}, false},
    {"npq/nn", {"clrs/spec"}, true}, {"app", {"nn"}, false},
    {"app/engine", {"nn"}, true}};

/// What is wrong with a file of this content, in a tree that has one header with libtorch and one
/// without.
std::vector<std::string> check(const std::string& path, const std::string& content) {
  return violations(kExample, path, [&](const std::string& other) -> std::string {
    if (other == path) return content;
    if (other == "npq/nn/with_torch.h") return "#include <torch/types.h>\n";
    if (other == "npq/nn/through_another.h") return "#include \"npq/nn/with_torch.h\"\n";
    if (other == "npq/nn/options.h") return "#include <string>\n";
    if (other == "npq/kernels/pop/vectors.h") return "#pragma once\n\n#include <vector>\n";
    return "";
  });
}

TEST(LayerRule, WhatAUsedFolderUsesComesAlong) {
  EXPECT_THAT(check("npq/clrs/trace/trace.cpp", "#include \"npq/base/error.h\"\n"), IsEmpty());
}

TEST(LayerRule, AnInnerFolderMayUseTheOneAroundIt) {
  EXPECT_THAT(check("app/engine/training/train.cpp", "#include \"app/terminal.h\"\n"), IsEmpty());
}

TEST(LayerRule, AFolderMayNotLookUp) {
  EXPECT_THAT(
      check("npq/base/error.cpp", "#pragma once\n#include \"npq/clrs/catalog.h\"\n"),
      ElementsAre("npq/base/error.cpp:2 includes npq/clrs/catalog.h, but npq/base may not use it"));
}

TEST(LayerRule, APartOfAFolderDoesNotOpenTheRest) {
  EXPECT_THAT(check("npq/nn/x.cpp", "#include \"npq/clrs/spec/spec.h\"\n"), IsEmpty());
  EXPECT_THAT(check("npq/nn/x.cpp", "#include \"npq/clrs/catalog.h\"\n"),
              ElementsAre(HasSubstr("npq/nn may not use it")));
}

TEST(LayerRule, TorchStaysInItsFolders) {
  EXPECT_THAT(check("npq/nn/x.cpp", "#include <torch/types.h>\n"), IsEmpty());
  for (const auto* line :
       {"#include <torch/types.h>\n", "#include <ATen/core/Tensor.h>\n", "# include \"c10/x.h\"\n"})
    EXPECT_THAT(check("npq/clrs/x.h", line),
                ElementsAre(HasSubstr("npq/clrs is free of libtorch")));
}

TEST(LayerRule, TorchDoesNotComeInThroughAnotherHeader) {
  EXPECT_THAT(check("app/train.cpp", "#include \"npq/nn/options.h\"\n"), IsEmpty());
  EXPECT_THAT(check("app/train.cpp", "#include \"npq/nn/through_another.h\"\n"),
              ElementsAre(HasSubstr("which brings in libtorch")));
  EXPECT_THAT(check("app/engine/training/train.cpp", "#include \"npq/nn/through_another.h\"\n"),
              IsEmpty());
}

TEST(LayerRule, AFileForOneInstructionSetIncludesItsKernelsHeadersAndIntrinsicsOnly) {
  const std::string fine =
      "#include <immintrin.h>\n#include \"npq/kernels/pop/pop.h\"\n"
      "#include \"npq/kernels/pop/pop_loops.h\"\n";
  EXPECT_THAT(check("npq/kernels/pop/pop_avx512.cpp", fine), IsEmpty());
  EXPECT_THAT(check("npq/kernels/pop/pop_avx2.cpp", fine + "#include <algorithm>\n"),
              ElementsAre(HasSubstr("pop_avx2.cpp:4 includes algorithm")));
  EXPECT_THAT(check("npq/kernels/pop/pop_avx2.cpp", "#include \"npq/kernels/jobs.h\"\n"),
              ElementsAre(HasSubstr("pop_avx2.cpp:1 includes npq/kernels/jobs.h")));
  EXPECT_THAT(check("npq/kernels/pop/pop.cpp", fine + "#include <algorithm>\n"), IsEmpty());
}

TEST(LayerRule, AFileForOneInstructionSetReachesNoCodeOfOthersThroughItsHeaders) {
  EXPECT_THAT(check("npq/kernels/pop/pop_avx2.cpp", "#include \"npq/kernels/pop/vectors.h\"\n"),
              ElementsAre(HasSubstr("npq/kernels/pop/vectors.h:3 includes vector")));
}

TEST(LayerRule, AFileOutsideTheTableIsNotOverlooked) {
  EXPECT_THAT(check("npq/attic/x.cpp", ""), ElementsAre(HasSubstr("lies in no folder")));
}

TEST(LayerRule, CommentedIncludesDoNotCount) {
  EXPECT_THAT(
      check("npq/base/x.h",
            "// #include <torch/torch.h>\n/*\n#include <torch/torch.h>\n*/\n#include <vector>\n"),
      IsEmpty());
}

TEST(LayerRule, UsesAreReadFromCMakeUpToTheNextKeyword) {
  const auto uses = parse_cmake_uses(
      "npq_library(base LINK fmt::fmt Threads::Threads\n  PRIVATE ZLIB::ZLIB)\n"
      "npq_library(clrs USES base random PRIVATE OpenSSL::Crypto)\n");
  EXPECT_THAT(uses.at("base"), IsEmpty());
  EXPECT_THAT(uses.at("clrs"), ElementsAre("base", "random"));
}

}  // namespace
}  // namespace npq::architecture
