// npq data show: one trace, readable step by step.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/commands.h"
#include "app/data/data_options.h"
#include "app/terminal.h"

namespace npq::app {
namespace {

using clrs::Location;
using clrs::Sample;
using clrs::Series;
using clrs::Stage;
using clrs::Type;

constexpr std::size_t kMostShown = 12;  // changes of one hint in one step
constexpr std::uint32_t kSeeds = 12;    // from which the default is chosen
constexpr int kMostSearched = 16;       // nodes; larger graphs would take a while

std::string number(double value) { return fmt::format("{:.4g}", value); }

/// The value at one place of a frame, as text.
std::string place_text(const Series& series, int t, std::size_t place) {
  switch (series.probe().type) {
    case Type::Scalar:
      return number(series.frame<double>(t)[place]);
    case Type::Mask:
      return std::to_string(series.frame<std::int8_t>(t)[place]);
    case Type::Categorical: {
      const int entry = series.frame<std::uint8_t>(t)[place];
      return entry & clrs::kMaskedClass ? "-" : std::to_string(entry);
    }
    default:
      return std::to_string(series.frame<std::uint16_t>(t)[place]);
  }
}

std::size_t places(const Series& series) {
  if (series.probe().type == Type::MaskOne || series.probe().location == Location::Graph) return 1;
  const std::size_t n = series.nodes();
  return series.probe().location == Location::Node ? n : n * n;
}

/// "d[3]", "in_mst_h[2,5]", or the bare name where there is only one place.
std::string place_name(const Series& series, std::size_t place) {
  const auto& probe = series.probe();
  if (probe.type == Type::MaskOne || probe.location == Location::Graph) return probe.name;
  if (probe.location == Location::Node) return fmt::format("{}[{}]", probe.name, place);
  return fmt::format("{}[{},{}]", probe.name, place / series.nodes(), place % series.nodes());
}

/// What a hint changed between two steps, in one line; empty if nothing did.
std::string changes(const Series& series, int t) {
  std::vector<std::string> shown;
  std::size_t changed = 0;
  for (std::size_t place = 0; place < places(series); ++place) {
    const auto before = place_text(series, t - 1, place), after = place_text(series, t, place);
    if (before == after) continue;
    if (++changed > kMostShown) continue;
    shown.push_back(fmt::format("{} {} {}", paint(place_name(series, place), Colour::Cyan),
                                paint(before + " ->", Colour::Dim), paint(after, Colour::Bold)));
  }
  if (changed > kMostShown) shown.push_back(fmt::format("and {} more", changed - kMostShown));
  return fmt::format("{}", fmt::join(shown, ", "));
}

/// The edges of a weight matrix, one line per node.
std::string edges(const Series& A) {
  const int n = A.nodes();
  const auto weights = A.frame<double>(0);
  std::string text;
  for (int i = 0; i < n; ++i) {
    std::vector<std::string> out;
    for (int j = 0; j < n; ++j) {
      const double w = weights[static_cast<std::size_t>(i) * n + j];
      if (w == 0) continue;
      out.push_back(w == 1 ? fmt::format("{}", j) : fmt::format("{} ({})", j, number(w)));
    }
    text += fmt::format("    {} -> {}\n", i,
                        out.empty() ? "nothing" : fmt::format("{}", fmt::join(out, ", ")));
  }
  return text;
}

std::string whole(const Series& series, int t) {
  if (series.probe().location == Location::Edge) {
    std::size_t set = 0;
    for (std::size_t p = 0; p < places(series); ++p) set += place_text(series, t, p) != "0";
    return fmt::format("{} of {} entries are not 0", set, places(series));
  }
  std::vector<std::string> values;
  for (std::size_t p = 0; p < places(series); ++p) values.push_back(place_text(series, t, p));
  return fmt::format("{}", fmt::join(values, " "));
}

void print_stage(const Sample& sample, Stage stage) {
  for (std::size_t k = 0; k < sample.spec().size(); ++k) {
    const Series series = sample.series(k);
    const auto& probe = series.probe();
    if (probe.stage != stage) continue;
    if (probe.name == "A")
      fmt::print("  {}: edges and weights\n{}", paint("A", Colour::Cyan), edges(series));
    else if (probe.name != "adj")
      fmt::print("  {}: {}\n", paint(probe.name, Colour::Cyan), whole(series, 0));
  }
}

nlohmann::json frame_json(const Series& series, int t) {
  const auto dims = clrs::shape(series.probe(), series.nodes());
  std::vector<double> values(clrs::elements(series.probe(), series.nodes()));
  series.expand(t, values.data());
  std::size_t next = 0;
  const auto nested = [&](const auto& self, std::size_t axis) -> nlohmann::json {
    if (axis == dims.size()) {
      const double value = values[next++];
      return series.probe().type == Type::Scalar ? nlohmann::json(value)
                                                 : nlohmann::json(static_cast<std::int64_t>(value));
    }
    auto list = nlohmann::json::array();
    for (std::int64_t i = 0; i < dims[axis]; ++i) list.push_back(self(self, axis + 1));
    return list;
  };
  return nested(nested, 0);
}

nlohmann::json to_json(const Sample& sample, const clrs::GenerateOptions& options,
                       std::string_view name) {
  nlohmann::json json = {{"algorithm", name},
                         {"nodes", sample.nodes()},
                         {"seed", options.seed},
                         {"length", sample.length()}};
  for (std::size_t k = 0; k < sample.spec().size(); ++k) {
    const Series series = sample.series(k);
    auto& stage = json[std::string(clrs::name_of(series.probe().stage)) + "s"];
    if (series.probe().stage != Stage::Hint) {
      stage[series.probe().name] = frame_json(series, 0);
      continue;
    }
    auto& steps = stage[series.probe().name] = nlohmann::json::array();
    for (int t = 0; t < series.length(); ++t) steps.push_back(frame_json(series, t));
  }
  return json;
}

struct ShowOptions {
  std::string algorithm;
  SampleFlags flags;
  bool json = false;
};

/// Steps of a trace that change any hint.
int eventful_steps(const Sample& sample) {
  std::vector<bool> eventful(static_cast<std::size_t>(sample.length()));
  for (std::size_t k = 0; k < sample.spec().size(); ++k) {
    const Series series = sample.series(k);
    if (series.probe().stage != Stage::Hint) continue;
    std::vector<double> before(clrs::elements(series.probe(), series.nodes())), now = before;
    for (int t = 0; t < sample.length(); ++t) {
      series.expand(t, now.data());
      if (t > 0 && now != before) eventful[static_cast<std::size_t>(t)] = true;
      std::swap(now, before);
    }
  }
  return static_cast<int>(std::ranges::count(eventful, true));
}

/// With a source that reaches nothing a trace ends at once. So without a given seed, the one of the
/// first few is taken whose trace shows most.
std::uint32_t eventful_seed(const clrs::Algorithm& algorithm, clrs::GenerateOptions options) {
  if (options.length > kMostSearched) return 1;
  std::uint32_t best = 1;
  int most = -1;
  for (options.seed = 1; options.seed <= kSeeds; ++options.seed) {
    const auto dataset = clrs::generate(algorithm, options, 1);
    const int eventful = eventful_steps(dataset.samples.front());
    if (eventful <= most) continue;
    most = eventful;
    best = options.seed;
  }
  return best;
}

int show(const ShowOptions& options) {
  const auto& algorithm = clrs::find_algorithm(options.algorithm);
  auto wanted = options.flags.options(
      algorithm, {.seed = 1, .length = std::max(8, algorithm.minimum_length), .samples = 1});
  if (!options.flags.seed) wanted.seed = eventful_seed(algorithm, wanted);
  const auto dataset = clrs::generate(algorithm, wanted, 1);
  const Sample& sample = dataset.samples.front();
  if (options.json) {
    fmt::print("{}\n", to_json(sample, wanted, algorithm.name).dump());
    return 0;
  }
  fmt::print("{} on {} nodes, seed {}: {} steps\n", paint(algorithm.name, Colour::Bold),
             sample.nodes(), wanted.seed, sample.length());
  fmt::print("{}\n", paint("inputs", Colour::Bold));
  print_stage(sample, Stage::Input);
  fmt::print("{}\n", paint("step 0", Colour::Bold));
  print_stage(sample, Stage::Hint);
  for (int t = 1; t < sample.length(); ++t) {
    fmt::print("{}\n", paint(fmt::format("step {}", t), Colour::Bold));
    bool any = false;
    for (std::size_t k = 0; k < sample.spec().size(); ++k) {
      const Series series = sample.series(k);
      if (series.probe().stage != Stage::Hint) continue;
      const auto line = changes(series, t);
      if (!line.empty()) fmt::print("  {}\n", line);
      any |= !line.empty();
    }
    if (!any) fmt::print("  nothing changed\n");
  }
  fmt::print("{}\n", paint("outputs", Colour::Bold));
  print_stage(sample, Stage::Output);
  return 0;
}

}  // namespace

void add_data_show(Cli& cli) {
  auto options = std::make_shared<ShowOptions>();
  auto* command =
      cli.command(cli.group("data"), "show",
                  "one trace, step by step: the input, what each step changed, the result",
                  {"npq data show dijkstra", "npq data show bfs --nodes 5 --seed 4",
                   "npq data show heapsort --nodes 6 --json"},
                  [options] { return show(*options); });
  command->add_option("algorithm", options->algorithm, "which (npq data list)")
      ->type_name("ALGO")
      ->required();
  options->flags.bind(command, /*with_split=*/false);
  command->footer(
      command->get_footer() +
      "\n\nWithout --nodes there are 8. Without --seed it is, of the seeds 1 to 12, the "
      "one whose trace\nshows most (1 for more than 16 nodes).");
  command->add_flag("--json", options->json, "the whole trace as JSON");
}

}  // namespace npq::app
