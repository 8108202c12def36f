#include "npq/train/options.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "npq/base/names.h"
#include "npq/clrs/catalog.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"

namespace npq::train {

void TrainOptions::validate() const {
  const auto& known = clrs::find_algorithm(algorithm);
  model.validate();
  memory.validate();
  memory.validate_for(algorithm);
  adam.validate();
  if (!(clip >= 0)) throw UsageError("--clip is {}; expected 0 (no limit) or more", clip);
  if (batch < 1) throw UsageError("--batch is {}; expected at least 1", batch);
  if (steps < 1) throw UsageError("--steps is {}; expected at least 1", steps);
  if (evaluate_every < 1)
    throw UsageError("--evaluate-every is {}; expected at least 1", evaluate_every);
  for (const int size : train_sizes)
    if (size < known.minimum_length)
      throw UsageError("--train-sizes has {}, but {} needs at least {} nodes", size, algorithm,
                       known.minimum_length);
}

namespace {

/// One key of config.json: how it is written and how it is read back.
struct Key {
  const char* name;
  std::function<nlohmann::json(const TrainOptions&)> get;
  std::function<void(TrainOptions&, const nlohmann::json&)> set;
};

template <class Field>
Key plain(const char* name, Field field) {
  return {name, [field](const TrainOptions& options) { return nlohmann::json(field(options)); },
          [name, field](TrainOptions& options, const nlohmann::json& value) {
            using Value = std::remove_cvref_t<decltype(field(options))>;
            const auto read = value.get<Value>();
            // A fraction where a whole number belongs, or one that is too large, would be bent.
            const bool negative =
                value.is_number_integer() && !value.is_number_unsigned() && value < 0;
            if (nlohmann::json(read) != value || (std::is_unsigned_v<Value> && negative))
              throw UsageError("{} is {}; expected a value of its type", name, value.dump());
            const_cast<Value&>(field(std::as_const(options))) = read;
          }};
}

template <class Choice, std::size_t size, class Field>
Key choice(const char* name, const nn::NamedChoice<Choice> (&table)[size], Field field) {
  return {name,
          [&table, field](const TrainOptions& options) {
            return nlohmann::json(nn::name_of_choice(table, field(options)));
          },
          [name, &table, field](TrainOptions& options, const nlohmann::json& value) {
            const_cast<Choice&>(field(std::as_const(options))) =
                nn::choice_named(name, table, value.get<std::string>());
          }};
}

#define NPQ_FIELD(member) \
  [](const TrainOptions& o) -> const auto& { return o.member; }

const std::vector<Key>& keys() {
  static const std::vector<Key> all = {
      plain("algorithm", NPQ_FIELD(algorithm)),
      plain("processor", NPQ_FIELD(model.processor.name)),
      plain("hidden", NPQ_FIELD(model.hidden)),
      plain("heads", NPQ_FIELD(model.processor.heads)),
      plain("triplet-features", NPQ_FIELD(model.processor.triplet_fts)),
      plain("layer-norm", NPQ_FIELD(model.processor.layer_norm)),
      choice("hints", model::kHintModes, NPQ_FIELD(model.hint_mode)),
      choice("repred", model::kRepredModes, NPQ_FIELD(model.repred_mode)),
      plain("teacher-forcing", NPQ_FIELD(model.teacher_forcing)),
      plain("dropout", NPQ_FIELD(model.dropout)),
      plain("message-steps", NPQ_FIELD(model.message_steps)),
      choice("encoder-init", nn::kEncoderInits, NPQ_FIELD(model.encoder_init)),
      plain("enforce-permutations", NPQ_FIELD(model.enforce_permutations)),
      plain("learning-rate", NPQ_FIELD(adam.learning_rate)),
      plain("clip", NPQ_FIELD(clip)),
      plain("batch", NPQ_FIELD(batch)),
      plain("steps", NPQ_FIELD(steps)),
      plain("evaluate-every", NPQ_FIELD(evaluate_every)),
      plain("seed", NPQ_FIELD(seed)),
      plain("train-sizes", NPQ_FIELD(train_sizes)),
      plain("random-positions", NPQ_FIELD(random_positions)),
  };
  return all;
}

#undef NPQ_FIELD

}  // namespace

nlohmann::json to_json(const TrainOptions& options) {
  nlohmann::json config;
  for (const auto& key : keys()) config[key.name] = key.get(options);
  config["memory"] = options.memory.name;
  for (const auto& [flag, value] : memory::flag_values(options.memory)) config[flag] = value;
  return config;
}

namespace {

void check_keys(const nlohmann::json& config, const nlohmann::json& known) {
  std::vector<std::string_view> names;
  for (const auto& [key, unused] : known.items()) names.push_back(key);
  for (const auto& [key, unused] : config.items())
    if (!known.contains(key) && key != "about") throw unknown_name("option", key, names);
}

}  // namespace

TrainOptions train_options(const nlohmann::json& config, const std::string& source) {
  TrainOptions options;
  try {
    for (const auto& key : keys()) key.set(options, config.at(key.name));
    options.memory = memory::memory_options(config.at("memory").get<std::string>());
    for (const auto& [flag, unused] : memory::flag_values(options.memory))
      memory::set_flag(options.memory, flag, config.at(flag).get<std::string>());
    check_keys(config, to_json(options));
    options.validate();
  } catch (const nlohmann::json::exception& error) {
    throw Error("'{}' is no configuration of a run: {}", source, error.what());
  } catch (const UsageError& error) {
    throw Error("'{}' holds options that cannot be: {}", source, error.what());
  }
  return options;
}

}  // namespace npq::train
