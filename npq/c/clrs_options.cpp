#include "npq/c/clrs_options.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "npq/base/formats/json_text.h"
#include "npq/base/names.h"

namespace npq::c {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestShown = 60;  // of a value in a message

/// An object of options: every access checks the option, and done() refuses unknown ones.
class Options {
 public:
  explicit Options(json object) : object_(std::move(object)) {}

  bool has(std::string_view name) {
    known_.push_back(name);
    const auto found = object_.find(name);
    return found != object_.end() && !found->is_null();
  }

  std::string text(std::string_view name, std::string_view otherwise) {
    if (!has(name)) return std::string(otherwise);
    if (!at(name).is_string()) fail(name, at(name), "a text");
    return at(name);
  }

  bool flag(std::string_view name, bool otherwise) {
    if (!has(name)) return otherwise;
    if (!at(name).is_boolean()) fail(name, at(name), "true or false");
    return at(name);
  }

  template <class Integer>
  void integer(std::string_view name, Integer& value) {
    if (has(name)) value = whole<Integer>(name, at(name));
  }
  template <class Integer>
  void integer(std::string_view name, std::optional<Integer>& value) {
    if (has(name)) value = whole<Integer>(name, at(name));
  }

  template <class Number>
  void number(std::string_view name, Number& value) {
    if (has(name)) value = real(name, at(name));
  }

  std::vector<double> numbers(std::string_view name) {
    return list<double>(name, [&](const json& value) { return real(name, value); });
  }
  std::vector<int> integers(std::string_view name) {
    return list<int>(name, [&](const json& value) { return whole<int>(name, value); });
  }

  void done() const {
    for (const auto& [name, value] : object_.items())
      if (std::find(known_.begin(), known_.end(), name) == known_.end())
        throw unknown_name("option", name, known_);
  }

 private:
  const json& at(std::string_view name) const { return *object_.find(name); }

  [[noreturn]] static void fail(std::string_view name, const json& value, std::string_view wanted) {
    auto shown = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (shown.size() > kLongestShown) shown = shown.substr(0, kLongestShown) + "...";
    throw UsageError("{} is {}; expected {}", name, shown, wanted);
  }

  static double real(std::string_view name, const json& value) {
    if (!value.is_number()) fail(name, value, "a number");
    return value;
  }

  template <class Integer>
  static Integer whole(std::string_view name, const json& value) {
    using Limits = std::numeric_limits<Integer>;
    const bool large = value.is_number_unsigned() &&
                       value.get<std::uint64_t>() > static_cast<std::uint64_t>(Limits::max());
    if (!value.is_number_integer() || large ||
        (!value.is_number_unsigned() &&
         value.get<std::int64_t>() < static_cast<std::int64_t>(Limits::min())))
      fail(name, value, fmt::format("a whole number of {} to {}", Limits::min(), Limits::max()));
    return value.get<Integer>();
  }

  /// One value, or a list of them.
  template <class T, class Read>
  std::vector<T> list(std::string_view name, Read read) {
    std::vector<T> values;
    if (!has(name)) return values;
    if (!at(name).is_array()) return {read(at(name))};
    for (const auto& value : at(name)) values.push_back(read(value));
    if (values.empty()) fail(name, at(name), "one value or more");
    return values;
  }

  json object_;
  std::vector<std::string_view> known_;
};

const clrs::Algorithm& algorithm_of(Options& options) {
  const auto name = options.text("algorithm", "");
  if (name.empty()) throw UsageError("the options name no algorithm; give \"algorithm\"");
  return clrs::find_algorithm(name);
}

clrs::Generator generator_of(Options& options) {
  const auto name = options.text("generator", "v1");
  if (name == "v1") return clrs::Generator::V1;
  if (name == "head") return clrs::Generator::Head;
  static constexpr std::string_view known[] = {"v1", "head"};
  throw unknown_name("generator", name, known);
}

clrs::SamplerOptions sampler_options(Options& options) {
  clrs::SamplerOptions sampler{.generator = generator_of(options)};
  options.number("low", sampler.low);
  options.number("high", sampler.high);
  sampler.p = options.numbers("p");
  options.integer("k", sampler.k);
  options.number("eps", sampler.eps);
  options.integer("length_2", sampler.length_2);
  options.integer("chars", sampler.chars);
  options.integer("length_needle", sampler.length_needle);
  options.integer("max_deadline", sampler.max_deadline);
  options.number("origin_x", sampler.origin_x);
  options.number("origin_y", sampler.origin_y);
  options.number("radius", sampler.radius);
  options.integer("truncate_decimals", sampler.truncate_decimals);
  if (sampler.truncate_decimals && sampler.generator != clrs::Generator::Head)
    throw UsageError("truncate_decimals belongs to newer generators; add generator \"head\"");
  return sampler;
}

}  // namespace

json parse_object(std::string_view text) {
  try {
    return parse_json_object(text, "this JSON");
  } catch (const Error& error) {
    throw UsageError("{}", error.what());
  }
}

GenerateRequest generate_request(std::string_view text) {
  Options options(parse_object(text));
  GenerateRequest request{&algorithm_of(options), {}};
  options.integer("nodes", request.options.length);
  options.integer("samples", request.options.samples);
  options.integer("seed", request.options.seed);
  request.options.sampler = sampler_options(options);
  options.done();
  request.options.validate(*request.algorithm);
  return request;
}

SamplerRequest sampler_request(std::string_view text) {
  Options options(parse_object(text));
  SamplerRequest request{&algorithm_of(options), {}, {}};
  request.sizes = options.integers("nodes");
  if (request.sizes.empty()) request.sizes = {request.options.length};
  options.integer("seed", request.options.seed);
  options.integer("batch", request.batch);
  request.track_max_steps = options.flag("track_max_steps", true);
  request.options.sampler = sampler_options(options);
  options.done();
  if (request.batch < 1)
    throw UsageError("a batch of {} samples was asked for; expected at least 1", request.batch);
  for (const int size : request.sizes) {
    auto one = request.options;
    one.length = size;
    one.validate(*request.algorithm);
  }
  return request;
}

}  // namespace npq::c
