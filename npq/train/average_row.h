#pragma once
#include "npq/base/options/option_table.h"

namespace npq::train {

/// The option of every run about the mean of its weights. Earlier runs have none.
template <class Options, class Field>
Option<Options> average_row(Field field) {
  return plain_option<Options>(
             "average",
             "keep an exponential mean of the weights, with this share of the old "
             "mean at each update; 0: none",
             "X", field)
      .in(at_least(0).below(1))
      .later("0");
}

}  // namespace npq::train
