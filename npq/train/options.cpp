#include "npq/train/options.h"

#include <nlohmann/json.hpp>

#include "npq/clrs/catalog.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"
#include "npq/train/config_keys.h"

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

using Key = ConfigKey<TrainOptions>;

template <class Field>
Key plain(const char* name, Field field) {
  return plain_key<TrainOptions>(name, field);
}

template <class Choice, std::size_t size, class Field>
Key choice(const char* name, const nn::NamedChoice<Choice> (&table)[size], Field field) {
  return choice_key<TrainOptions>(name, table, field);
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
  config["preset"] = options.preset;
  for (const auto& [flag, value] : memory::flag_values(options.memory)) config[flag] = value;
  return config;
}

TrainOptions train_options(const nlohmann::json& config, const std::string& source) {
  TrainOptions options;
  try {
    for (const auto& key : keys()) key.set(options, config.at(key.name));
    options.memory = memory::memory_options(config.at("memory").get<std::string>());
    options.preset = config.value("preset", options.preset);  // older runs do not say it
    for (const auto& [flag, unused] : memory::flag_values(options.memory))
      memory::set_flag(options.memory, flag, config.at(flag).get<std::string>());
    check_config_keys(config, to_json(options));
    options.validate();
  } catch (const nlohmann::json::exception& error) {
    throw Error("'{}' is no configuration of a run: {}", source, error.what());
  } catch (const UsageError& error) {
    throw Error("'{}' holds options that cannot be: {}", source, error.what());
  }
  return options;
}

}  // namespace npq::train
