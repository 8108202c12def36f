#include "tests/architecture/layers.h"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace npq::architecture {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;)
    if (word != "-") out.push_back(word);
  return out;
}

bool lies_in(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// The innermost row whose folder holds the path.
const Layer* layer_of(const std::vector<Layer>& layers, std::string_view path) {
  const Layer* best = nullptr;
  for (const auto& layer : layers)
    if (lies_in(path, layer.folder) && (!best || layer.folder.size() > best->folder.size()))
      best = &layer;
  return best;
}

bool is_torch(std::string_view header) {
  for (const std::string_view start : {"torch/", "ATen/", "c10/", "caffe2/"})
    if (header.starts_with(start)) return true;
  return false;
}

/// Whether a header of ours includes libtorch, itself or through another of ours.
bool reaches_torch(const std::string& header, const Reader& read) {
  std::set<std::string> seen;
  std::vector<std::string> waiting = {header};
  while (!waiting.empty()) {
    const std::string path = waiting.back();
    waiting.pop_back();
    if (!seen.insert(path).second) continue;
    for (const auto& include : parse_includes(read(path))) {
      if (is_torch(include.target)) return true;
      if (lies_in(include.target, "npq") || lies_in(include.target, "app"))
        waiting.push_back(include.target);
    }
  }
  return false;
}

/// npq/kernels/pop/pop_avx2.cpp -> npq/kernels/pop/; empty for files of no instruction set.
std::string kernel_folder(const std::string& path) {
  static const std::regex simd("(npq/kernels/([a-z_]+)/)\\2_(avx2|avx512|amx)\\.cpp");
  std::smatch match;
  return std::regex_match(path, match, simd) ? match[1].str() : "";
}

/// What such a file reaches, itself or through headers of ours, that brings code of others with it:
/// the linker keeps one copy of an inline function, and this one may be built for another machine.
std::vector<std::string> foreign_code(const std::string& path, const Reader& read) {
  const std::string folder = kernel_folder(path);
  std::vector<std::string> wrong;
  std::set<std::string> seen;
  std::vector<std::string> waiting = {path};
  while (!waiting.empty()) {
    const std::string file = waiting.back();
    waiting.pop_back();
    if (!seen.insert(file).second) continue;
    for (const auto& include : parse_includes(read(file))) {
      const std::string& target = include.target;
      const bool harmless = target == "cstddef" || target == "cstdint";
      if (target == "immintrin.h" || (file != path && harmless)) continue;
      if (target.ends_with(".h") &&
          target.starts_with(file == path ? folder : std::string("npq/kernels/"))) {
        waiting.push_back(target);
        continue;
      }
      const auto line = file + ":" + std::to_string(include.line);
      wrong.push_back(line + " includes " + target +
                      (file == path ? ", but a file for one instruction set may include only " +
                                          folder + "*.h and immintrin.h"
                                    : ", which " + path +
                                          " may not reach: it would be compiled for "
                                          "one instruction set"));
    }
  }
  return wrong;
}

}  // namespace

std::vector<Layer> parse_layers(std::string_view page) {
  static const std::regex row(R"(\| `([a-z_/]+)/` \|[^|]*\| ([a-z_/ -]+) \| (yes|no) \|)");
  std::vector<Layer> layers;
  std::istringstream in{std::string(page)};
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_match(line, match, row))
      layers.push_back({match[1], words(match[2]), match[3] == "yes"});
  }
  if (layers.empty())
    throw std::runtime_error("the page has no row | `folder/` | ... | uses | no |");
  return layers;
}

std::map<std::string, std::set<std::string>> parse_cmake_uses(std::string_view cmake) {
  static const std::regex call(R"(npq_library\(([^)]*)\))");
  const std::string text(cmake);
  std::map<std::string, std::set<std::string>> uses;
  for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it) {
    const auto arguments = words((*it)[1]);
    auto& used = uses[arguments.at(0)];
    bool inside = false;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const bool keyword = std::isupper(static_cast<unsigned char>(arguments[i][0])) &&
                           arguments[i].find(':') == std::string::npos;
      if (keyword) {
        inside = arguments[i] == "USES";
      } else if (inside) {
        used.insert(arguments[i]);
      }
    }
  }
  return uses;
}

std::vector<Include> parse_includes(std::string_view source) {
  static const std::regex directive(R"(\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  std::vector<Include> includes;
  std::istringstream in{std::string(source)};
  int number = 0;
  bool in_comment = false;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::smatch match;
    if (!in_comment && std::regex_match(line, match, directive))
      includes.push_back({match[2], number, match[1] == "<"});
    const auto open = line.rfind("/*"), close = line.rfind("*/");
    if (open != std::string::npos) in_comment = true;
    if (close != std::string::npos && (open == std::string::npos || close > open))
      in_comment = false;
  }
  return includes;
}

std::set<std::string> reachable(const std::vector<Layer>& layers, const Layer& from) {
  std::set<std::string> found = {from.folder};
  for (const auto& layer : layers)  // an inner folder may use the one around it
    if (lies_in(from.folder, layer.folder)) found.insert(layer.folder);
  std::vector<std::string> waiting = from.uses;
  while (!waiting.empty()) {
    const std::string folder = "npq/" + waiting.back();
    waiting.pop_back();
    if (!found.insert(folder).second) continue;
    if (const Layer* layer = layer_of(layers, folder + "/"))
      waiting.insert(waiting.end(), layer->uses.begin(), layer->uses.end());
  }
  return found;
}

std::vector<std::string> violations(const std::vector<Layer>& layers, const std::string& path,
                                    const Reader& read) {
  const Layer* layer = layer_of(layers, path);
  if (!layer) return {path + " lies in no folder of the table in docs/architecture.md"};
  const auto allowed = reachable(layers, *layer);
  const auto may_use = [&](const std::string& header) {
    return std::any_of(allowed.begin(), allowed.end(),
                       [&](const auto& folder) { return lies_in(header, folder); });
  };

  std::vector<std::string> wrong;
  if (!kernel_folder(path).empty()) wrong = foreign_code(path, read);
  for (const auto& include : parse_includes(read(path))) {
    const auto complain = [&](const std::string& why) {
      wrong.push_back(path + ":" + std::to_string(include.line) + " includes " + include.target +
                      why);
    };
    const bool ours = lies_in(include.target, "npq") || lies_in(include.target, "app");
    if (is_torch(include.target) && !layer->torch) {
      complain(", but " + layer->folder + " is free of libtorch");
    } else if (ours && !may_use(include.target)) {
      complain(", but " + layer->folder + " may not use it");
    } else if (ours && !layer->torch && reaches_torch(include.target, read)) {
      complain(", which brings in libtorch, but " + layer->folder + " is free of it");
    } else if (!ours && !include.angled && !is_torch(include.target)) {
      complain("; write paths from the root of the tree: \"npq/...\"");
    }
  }
  return wrong;
}

}  // namespace npq::architecture
