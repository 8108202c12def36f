#include "app/data/data_options.h"

#include <CLI/CLI.hpp>

#include "npq/base/names.h"

namespace npq::app {

void SampleFlags::bind(CLI::App* command, bool with_split) {
  command->add_option("--nodes", nodes, "size of the graphs (the sampler's length)")
      ->type_name("N");
  command->add_option("--seed", seed, "seed of the random stream")->type_name("S");
  command->add_option("--p", p, "edge probabilities to choose from, e.g. 0.1,0.2")
      ->type_name("P,P");
  command->add_option("--needle", needle, "string matchers: needle length; -M draws it from 1..M")
      ->type_name("M");
  command->add_option("--low", low, "smallest key or edge weight")->type_name("X");
  command->add_option("--high", high, "largest key or edge weight")->type_name("X");
  command
      ->add_option("--generator", generator,
                   "v1: the official data; head: what newer versions changed")
      ->type_name("v1|head")
      ->capture_default_str();
  command
      ->add_option("--truncate-decimals", truncate_decimals,
                   "keep D decimals of every number (head)")
      ->type_name("D");
  if (!with_split) return;
  command->add_option("--samples", samples, "how many samples")->type_name("K");
  command->add_option("--split", split, "seed, size and count of an official split")
      ->type_name("train|val|test");
}

clrs::GenerateOptions SampleFlags::options(const clrs::Algorithm& algorithm,
                                           const clrs::GenerateOptions& fallback) const {
  auto options =
      split.empty() ? fallback : clrs::official_split(algorithm, clrs::find_split(split));
  if (nodes) options.length = *nodes;
  if (samples) options.samples = *samples;
  if (seed) options.seed = *seed;
  options.sampler.low = low;
  options.sampler.high = high;
  options.sampler.length_needle = needle;
  options.sampler.truncate_decimals = truncate_decimals;
  if (!p.empty()) options.sampler.p = numbers_of(p, "--p");
  static constexpr std::string_view generators[] = {"v1", "head"};
  if (generator == "head")
    options.sampler.generator = clrs::Generator::Head;
  else if (generator != "v1")
    throw unknown_name("generator", generator, generators);
  if (needle && algorithm.family != clrs::Family::Strings)
    throw UsageError("{} has no use for --needle, which is for string matchers; leave it out",
                     algorithm.name);
  if (!p.empty() && algorithm.edge_probability == 0)
    throw UsageError("{} has no use for --p, which is for graphs; leave it out", algorithm.name);
  if (truncate_decimals && generator != "head")
    throw UsageError("--truncate-decimals belongs to newer generators; add --generator head");
  options.validate(algorithm);
  return options;
}

}  // namespace npq::app
