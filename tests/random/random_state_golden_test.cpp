#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "npq/random/random_state.h"

// Every vector of tests/golden/random/randomstate.json, driven by the numpy call it names:
// "uniform(low=0.0, high=1.0, size=(4,))", "choice(5) called 16 times", "... -> sum only".
namespace npq {
namespace {

using nlohmann::json;
using testing::ElementsAreArray;

const json& golden() {
  static const json file =
      json::parse(std::ifstream(NPQ_TESTS_DIR "/golden/random/randomstate.json"));
  return file;
}

/// A call taken apart: positional and named arguments as text, split at the outermost commas.
struct Call {
  std::string method;
  std::vector<std::string> positional;
  std::map<std::string, std::string> named;
  int times = 1;
  bool only_sum = false;
};

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Call parse(const std::string& text) {
  Call call;
  const std::size_t open = text.find('(');
  call.method = text.substr(0, open);
  std::string argument;
  int depth = 0;
  std::size_t at = open + 1;
  const auto end_argument = [&] {
    const std::string whole = trimmed(argument);
    argument.clear();
    if (whole.empty()) return;
    const auto equals = whole.find('=');
    if (equals == std::string::npos) {
      call.positional.push_back(whole);
    } else {
      call.named[whole.substr(0, equals)] = whole.substr(equals + 1);
    }
  };
  for (; depth > 0 || text.at(at) != ')'; ++at) {
    const char c = text[at];
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c == ',' && depth == 0) {
      end_argument();
    } else {
      argument += c;
    }
  }
  end_argument();
  const std::string rest = text.substr(at + 1);
  if (rest.find("called 16 times") != std::string::npos) call.times = 16;
  call.only_sum = rest.find("sum only") != std::string::npos;
  return call;
}

/// "5", "-1.0", "2**32-1".
double number(const std::string& text) {
  const auto power = text.find("**");
  if (power == std::string::npos) return std::stod(text);
  const auto minus = text.find('-', power);
  const double value =
      std::pow(std::stod(text.substr(0, power)), std::stod(text.substr(power + 2)));
  return minus == std::string::npos ? value : value - std::stod(text.substr(minus + 1));
}

/// "[0.1,0.2]", "(4,4)", "(16,)" or a plain "16".
std::vector<double> numbers(std::string text) {
  std::vector<double> values;
  std::erase_if(text, [](char c) { return c == '(' || c == ')' || c == '[' || c == ']'; });
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) values.push_back(number(part));
  return values;
}

std::size_t product(const std::vector<double>& shape) {
  double size = 1;
  for (const double extent : shape) size *= extent;
  return static_cast<std::size_t>(size);
}

template <class T>
std::vector<double> as_doubles(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

std::vector<double> choose(random::RandomState& random, const Call& call,
                           std::optional<std::size_t> size) {
  const std::string& from = call.positional[0];
  if (from == "P" || from == "P/2" || from[0] == '(') {
    const auto options = from == "P"     ? golden()["P"].get<std::vector<double>>()
                         : from == "P/2" ? golden()["halfP"].get<std::vector<double>>()
                                         : numbers(from);
    return {options[random.choice(static_cast<std::int64_t>(options.size()))]};
  }
  const auto n = static_cast<std::int64_t>(number(from));
  if (!size) return {static_cast<double>(random.choice(n))};
  if (call.named.contains("p")) {
    std::vector<double> drawn;
    for (std::size_t i = 0; i < *size; ++i) {
      drawn.push_back(random.weighted_choice(numbers(call.named.at("p"))));
    }
    return drawn;
  }
  const bool replace = !call.named.contains("replace") || call.named.at("replace") == "True";
  return as_doubles(replace ? random.randint(0, n, *size)
                            : random.choice_without_replacement(n, *size));
}

std::vector<double> perform_once(random::RandomState& random, const Call& call) {
  const auto& given = call.positional;
  std::optional<std::size_t> size;
  if (call.named.contains("size")) size = product(numbers(call.named.at("size")));
  const auto repeated = [&](auto draw) {
    std::vector<double> drawn;
    for (std::size_t i = 0; i < size.value_or(1); ++i) drawn.push_back(draw());
    return drawn;
  };
  if (call.method == "random_sample" || call.method == "standard_normal") {
    size = product(numbers(given[0]));
    return call.method == "random_sample" ? repeated([&] { return random.random_sample(); })
                                          : repeated([&] { return random.standard_normal(); });
  }
  if (call.method == "normal") {
    return repeated([&] { return random.normal(number(given[0]), number(given[1])); });
  }
  if (call.method == "uniform") {
    const double low = call.named.contains("low") ? number(call.named.at("low")) : 0;
    const double high = call.named.contains("high") ? number(call.named.at("high")) : 1;
    return size ? random.uniform(low, high, *size) : std::vector{random.uniform(low, high)};
  }
  if (call.method == "randint") {
    const bool bare = !call.named.contains("high");
    const std::int64_t low = bare ? 0 : static_cast<std::int64_t>(number(given[0]));
    const auto high = static_cast<std::int64_t>(number(bare ? given[0] : call.named.at("high")));
    if (size) return as_doubles(random.randint(low, high, *size));
    return {static_cast<double>(random.randint(low, high))};
  }
  if (call.method == "binomial") {
    const auto n = static_cast<std::int64_t>(number(given[0]));
    const double p = number(given[1]);
    if (!size) return {static_cast<double>(random.binomial(n, p))};
    // The three ways to draw many must agree; the last one is kept.
    random::RandomState other = random;
    const auto one_by_one = as_doubles(other.binomial(n, p, *size));
    std::vector<double> filled(*size);
    random.binomial(n, p, filled);
    EXPECT_EQ(filled, one_by_one);
    EXPECT_EQ(random.state(), other.state());
    return filled;
  }
  if (call.method == "choice") {
    if (given.size() > 1) size = product(numbers(given[1]));
    return choose(random, call, size);
  }
  if (call.method == "permutation") {
    return as_doubles(random.permutation(static_cast<std::int64_t>(number(given[0]))));
  }
  if (call.method == "shuffle" && given[0] == "arange(16)") {
    std::vector<std::int64_t> values(16);
    std::iota(values.begin(), values.end(), 0);
    random.shuffle(values);
    return as_doubles(values);
  }
  ADD_FAILURE() << "no rule for the call " << call.method;
  return {};
}

std::vector<double> perform(random::RandomState& random, const std::string& text) {
  if (text.starts_with("16 raw")) {
    std::vector<double> drawn;
    for (int i = 0; i < 16; ++i) drawn.push_back(random.next_u32());
    return drawn;
  }
  const Call call = parse(text);
  std::vector<double> drawn;
  for (int i = 0; i < call.times; ++i) {
    const auto once = perform_once(random, call);
    drawn.insert(drawn.end(), once.begin(), once.end());
  }
  if (!call.only_sum) return drawn;
  return {std::accumulate(drawn.begin(), drawn.end(), 0.0)};
}

/// All outputs of one block agree with the standard library's engine, `draws` outputs in: then the
/// whole state does.
void expect_consumed(random::RandomState random, std::uint32_t seed, unsigned long long draws) {
  std::mt19937 engine(seed);
  engine.discard(draws);
  for (std::size_t i = 0; i < random::RandomState::kWords; ++i)
    ASSERT_EQ(random.next_u32(), engine()) << i;
}

class RandomStateGolden : public testing::TestWithParam<std::uint32_t> {
 protected:
  std::string seed_ = std::to_string(GetParam());
};

TEST_P(RandomStateGolden, SeedingGivesTheWordsOfNumpy) {
  const auto words = random::RandomState(GetParam()).state().words;
  const auto wanted =
      golden()["fresh"][seed_]["init_state"]["values"].get<std::vector<std::uint32_t>>();
  const std::vector given{words[0], words[1], words[2], words[3], words[622], words[623]};
  EXPECT_EQ(given, wanted);
}

TEST_P(RandomStateGolden, EveryCallOnAFreshGeneratorGivesNumpysValuesAndUsesAsManyOutputs) {
  const json& fresh = golden()["fresh"][seed_];
  ASSERT_EQ(fresh.size(), golden()["cases"].size() + 1);  // and init_state
  for (const auto& [name, description] : golden()["cases"].items()) {
    SCOPED_TRACE(name);
    random::RandomState random(GetParam());
    EXPECT_THAT(perform(random, description["call"]),
                ElementsAreArray(fresh[name]["values"].get<std::vector<double>>()));
    expect_consumed(random, GetParam(), fresh[name]["draws32"]);
  }
}

TEST_P(RandomStateGolden, CallsOfAllKindsOneAfterTheOtherGiveNumpysValues) {
  for (const char* const mixture : {"samplers", "all"}) {
    const json& sequence = golden()["mixed"][mixture][seed_];
    random::RandomState random(GetParam());
    for (const json& step : sequence["calls"]) {
      SCOPED_TRACE(step["call"].get<std::string>());
      EXPECT_THAT(perform(random, step["call"]),
                  ElementsAreArray(step["values"].get<std::vector<double>>()));
    }
    expect_consumed(random, GetParam(), sequence["draws32"]);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomStateGolden,
                         testing::Values(0u, 1u, 2u, 3u, 42u, 123456789u, 4294967295u));

}  // namespace
}  // namespace npq
