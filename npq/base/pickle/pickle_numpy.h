#pragma once
#include <string>
#include <vector>

#include "npq/base/formats/array_data.h"
#include "npq/base/pickle/pickle.h"

namespace npq {

/// The globals that numpy arrays need, for PickleOptions::globals: of numpy 1 and 2, protocols 2
/// to 5.
const std::vector<std::string>& numpy_globals();

/// Whether a value is a numpy array or a numpy number.
bool is_numpy_array(const PickleValue& value);

/// A numpy array, or a numpy number as an array without dimensions, out of a pickle. The dtype must
/// be plain numbers, little-endian, and the bytes must fill the shape exactly; column order is
/// turned into rows. `what` names the value in messages: "parameter 'w'".
ArrayData numpy_array(const PickleValue& value, std::string_view what);

}  // namespace npq
