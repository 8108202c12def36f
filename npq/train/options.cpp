#include "npq/train/options.h"

#include "npq/base/options/config_json.h"
#include "npq/clrs/catalog.h"
#include "npq/memory/flags.h"
#include "npq/train/average_row.h"
#include "npq/train/initial_weights_rows.h"

namespace npq::train {

const OptionTable<TrainOptions>& train_option_table() {
  using O = TrainOptions;
  static const OptionTable<O> table = [] {
    auto rows = options_of_member<O>(model::model_option_table(), NPQ_FIELD(model));
    const auto memory =
        memory::memory_rows<O>(NPQ_FIELD(memory), NPQ_FIELD(preset), memory::memory_options);
    rows.insert(rows.begin() + 1, memory.begin(), memory.begin() + 2);  // behind the processor
    rows.insert(rows.begin(), plain_option<O>("algorithm", "which algorithm (npq list algorithms)",
                                              "ALGO", NPQ_FIELD(algorithm)));
    const auto add = [&](Option<O> row) { rows.push_back(std::move(row)); };
    add(plain_option<O>("batch", "samples per update", "B", NPQ_FIELD(batch)).in(at_least(1)));
    add(plain_option<O>("steps", "updates", "N", NPQ_FIELD(steps)).in(at_least(1)).changeable());
    add(plain_option<O>("evaluate-every", "updates between two validations", "N",
                        NPQ_FIELD(evaluate_every))
            .in(at_least(1))
            .changeable());
    add(plain_option<O>("seed", "of initialisation, dropout and teacher forcing", "S",
                        NPQ_FIELD(seed)));
    add(plain_option<O>("learning-rate", "learning rate of Adam", "X",
                        NPQ_FIELD(adam.learning_rate))
            .in(more_than(0))
            .changeable());
    add(plain_option<O>("clip", "limit of the gradients' norm; 0: none", "X", NPQ_FIELD(clip))
            .in(at_least(0))
            .changeable());
    add(plain_option<O>("train-sizes", "make training data on the fly, e.g. 4,7,11,13,16", "N,N",
                        NPQ_FIELD(train_sizes)));
    add(plain_option<O>("validate-sizes",
                        "sizes of the validation graphs, e.g. 16,32; their mean score chooses the "
                        "best model (default: the official 16)",
                        "N,N", NPQ_FIELD(validate_sizes))
            .later(""));
    add(plain_option<O>("random-positions", "random node positions in training", "",
                        NPQ_FIELD(random_positions)));
    add(average_row<O>(NPQ_FIELD(average)));
    for (auto& row : initial_weights_rows<O>(NPQ_FIELD(init), NPQ_FIELD(init_checksum)))
      add(std::move(row));
    rows.insert(rows.end(), memory.begin() + 2, memory.end());
    return OptionTable<O>(std::move(rows));
  }();
  return table;
}

void TrainOptions::validate() const {
  const auto& known = clrs::find_algorithm(algorithm);
  train_option_table().check(*this);
  model.validate();
  memory.validate();
  memory.validate_for(algorithm);
  adam.validate();
  const auto check_sizes = [&](const char* option, const std::vector<int>& sizes) {
    for (const int size : sizes)
      if (size < known.minimum_length)
        throw UsageError("--{} has {}, but {} needs at least {} nodes", option, size, algorithm,
                         known.minimum_length);
  };
  check_sizes("train-sizes", train_sizes);
  check_sizes("validate-sizes", validate_sizes);
}

nlohmann::json to_json(const TrainOptions& options) {
  return config_json(train_option_table(), options);
}

TrainOptions train_options(const nlohmann::json& config, const std::string& source) {
  return options_of_run(train_option_table(), config, source);
}

}  // namespace npq::train
