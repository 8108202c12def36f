#include "npq/lrgb/train_options.h"

#include "npq/base/files/run_kind.h"
#include "npq/base/options/config_json.h"
#include "npq/memory/flags.h"
#include "npq/train/average_row.h"
#include "npq/train/initial_weights_rows.h"

namespace npq::lrgb {
namespace {

/// No option of a user's: config.json of any run says what was learned.
Option<TrainOptions> algorithm() {
  Option<TrainOptions> option;
  option.name = "algorithm";
  option.value = kPeptides;
  option.hidden = true;
  option.text = [](const TrainOptions&) { return std::string(kPeptides); };
  option.read = [](TrainOptions&, std::string_view text) {
    if (text != kPeptides)
      throw UsageError(
          "--algorithm is '{}', but a run on peptides says '{}'; use npq train for the others",
          text, kPeptides);
  };
  return option;
}

}  // namespace

const OptionTable<TrainOptions>& train_option_table() {
  using O = TrainOptions;
  static const OptionTable<O> table = [] {
    const auto model = options_of_member<O>(model_option_table(), NPQ_FIELD(model));
    const auto memory =
        memory::memory_rows<O>(NPQ_FIELD(model.memory), NPQ_FIELD(preset), peptide_memory);
    std::vector<Option<O>> rows;
    const auto add = [&](Option<O> row) { rows.push_back(std::move(row)); };
    add(algorithm());
    add(plain_option<O>("data", "folder that npq peptides import or generate made", "DIR",
                        NPQ_FIELD(data)));
    add(plain_option<O>("data-checksum", "", "X", NPQ_FIELD(data_checksum)).not_listed());
    rows.push_back(model.front());  // the processor
    rows.insert(rows.end(), memory.begin(), memory.begin() + 2);
    rows.insert(rows.end(), model.begin() + 1, model.end());
    add(plain_option<O>("epochs", "passes over the training molecules", "N", NPQ_FIELD(epochs))
            .in(at_least(1))
            .changeable());
    add(plain_option<O>("batch", "molecules per update", "B", NPQ_FIELD(batch)).in(at_least(1)));
    add(plain_option<O>("seed", "of initialisation and order", "S", NPQ_FIELD(seed)));
    add(plain_option<O>("learning-rate", "learning rate of AdamW at the start", "X",
                        NPQ_FIELD(learning_rate))
            .in(more_than(0))
            .changeable());
    add(plain_option<O>("patience", "epochs without progress before the learning rate falls", "N",
                        NPQ_FIELD(patience))
            .in(at_least(0))
            .changeable());
    add(plain_option<O>("factor", "the learning rate is multiplied by this when it falls", "X",
                        NPQ_FIELD(factor))
            .in(more_than(0).below(1))
            .changeable());
    add(plain_option<O>("least-rate", "the learning rate never falls below this", "X",
                        NPQ_FIELD(least_rate))
            .in(at_least(0))
            .changeable());
    add(train::average_row<O>(NPQ_FIELD(average)));
    for (auto& row : train::initial_weights_rows<O>(NPQ_FIELD(init), NPQ_FIELD(init_checksum)))
      add(std::move(row));
    rows.insert(rows.end(), memory.begin() + 2, memory.end());
    return OptionTable<O>(std::move(rows));
  }();
  return table;
}

void TrainOptions::validate() const {
  if (data.empty())
    throw UsageError(
        "--data is missing; expected a folder that npq peptides import or generate made");
  train_option_table().check(*this);
  model.validate();
}

nlohmann::json to_json(const TrainOptions& options) {
  return config_json(train_option_table(), options);
}

TrainOptions train_options(const nlohmann::json& config, const std::string& source) {
  return options_of_run(train_option_table(), config, source);
}

}  // namespace npq::lrgb
