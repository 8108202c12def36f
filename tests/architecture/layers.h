#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The layer rule: docs/architecture.md has a table of folders and what each may use; code is held
// to it.
namespace npq::architecture {

/// One row of the table: | `npq/clrs/` | ... | base random | no |
struct Layer {
  std::string folder;             // "npq/clrs", "app"
  std::vector<std::string> uses;  // "base", or "clrs/spec" for a part of a folder
  bool torch = false;             // may include libtorch headers
};

struct Include {
  std::string target;
  int line;
  bool angled;  // <...> rather than "..."
};

/// The rows of the page's table; throws std::runtime_error where the page has none.
std::vector<Layer> parse_layers(std::string_view page);

/// npq_library(NAME USES a b ...) calls of npq/CMakeLists.txt: NAME -> {a, b}.
std::map<std::string, std::set<std::string>> parse_cmake_uses(std::string_view cmake);

/// The #include lines of a source text; those inside comments do not count.
std::vector<Include> parse_includes(std::string_view source);

/// The text of a file of the tree, by its path from the root; empty if there is none.
using Reader = std::function<std::string(const std::string& path)>;

/// What is wrong with the includes of one file, a sentence each; empty when it keeps the rule.
/// Headers are followed where libtorch must not come in through them.
std::vector<std::string> violations(const std::vector<Layer>& layers, const std::string& path,
                                    const Reader& read);

/// Folders of npq/ that a folder may include: its own, the one around it, those it names, and
/// what these use in turn.
std::set<std::string> reachable(const std::vector<Layer>& layers, const Layer& from);

}  // namespace npq::architecture
