#include "npq/lrgb/train_options.h"

#include "npq/memory/flags.h"
#include "npq/train/config_keys.h"

namespace npq::lrgb {
namespace {

/// What a reader of many runs knows this one by, beside "processor" and "memory".
constexpr const char* kAlgorithm = "peptides";

#define NPQ_FIELD(member) \
  [](const TrainOptions& o) -> const auto& { return o.member; }

const std::vector<train::ConfigKey<TrainOptions>>& keys() {
  using train::choice_key;
  using train::plain_key;
  using O = TrainOptions;
  static const std::vector<train::ConfigKey<O>> all = {
      plain_key<O>("data", NPQ_FIELD(data)),
      plain_key<O>("data-checksum", NPQ_FIELD(data_checksum)),
      choice_key<O>("processor", kBases, NPQ_FIELD(model.base)),
      choice_key<O>("layer", kLayers, NPQ_FIELD(model.layer)),
      plain_key<O>("layers", NPQ_FIELD(model.layers)),
      plain_key<O>("hidden", NPQ_FIELD(model.hidden)),
      plain_key<O>("memory-width", NPQ_FIELD(model.memory_width)),
      plain_key<O>("epochs", NPQ_FIELD(epochs)),
      plain_key<O>("batch", NPQ_FIELD(batch)),
      plain_key<O>("seed", NPQ_FIELD(seed)),
      plain_key<O>("learning-rate", NPQ_FIELD(learning_rate)),
      plain_key<O>("patience", NPQ_FIELD(patience)),
      plain_key<O>("factor", NPQ_FIELD(factor)),
      plain_key<O>("least-rate", NPQ_FIELD(least_rate)),
  };
  return all;
}

#undef NPQ_FIELD

}  // namespace

void TrainOptions::validate() const {
  model.validate();
  if (data.empty())
    throw UsageError(
        "--data is missing; expected a folder that npq peptides import or generate made");
  if (epochs < 1) throw UsageError("--epochs is {}; expected at least 1", epochs);
  if (batch < 1) throw UsageError("--batch is {}; expected at least 1", batch);
  if (!(learning_rate > 0))
    throw UsageError("--learning-rate is {}; expected more than 0", learning_rate);
  if (patience < 0) throw UsageError("--patience is {}; expected at least 0", patience);
  if (!(factor > 0 && factor < 1))
    throw UsageError("--factor is {}; expected more than 0, less than 1", factor);
  if (!(least_rate >= 0)) throw UsageError("--least-rate is {}; expected at least 0", least_rate);
}

nlohmann::json to_json(const TrainOptions& options) {
  nlohmann::json config{{"algorithm", kAlgorithm}};
  for (const auto& key : keys()) config[key.name] = key.get(options);
  config["memory"] = options.model.memory.name;
  for (const auto& [flag, value] : memory::flag_values(options.model.memory)) config[flag] = value;
  return config;
}

TrainOptions train_options(const nlohmann::json& config, const std::string& source) {
  TrainOptions options;
  try {
    if (config.at("algorithm") != kAlgorithm)
      throw UsageError(
          "algorithm is {}; a run on peptides says '{}' (npq train --resume goes on "
          "with others)",
          config.at("algorithm").dump(), kAlgorithm);
    for (const auto& key : keys()) key.set(options, config.at(key.name));
    auto& memory = options.model.memory;
    memory = peptide_memory(config.at("memory").get<std::string>());
    for (const auto& [flag, unused] : memory::flag_values(memory))
      memory::set_flag(memory, flag, config.at(flag).get<std::string>());
    train::check_config_keys(config, to_json(options));
    options.validate();
  } catch (const nlohmann::json::exception& error) {
    throw Error("'{}' is no configuration of a run on peptides: {}", source, error.what());
  } catch (const UsageError& error) {
    throw Error("'{}' holds options that cannot be: {}", source, error.what());
  }
  return options;
}

}  // namespace npq::lrgb
