#include "npq/train/haiku/haiku_pickle.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/pickle/pickle.h"
#include "npq/base/pickle/pickle_numpy.h"
#include "npq/base/printable.h"

namespace npq::train {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view kAdamState = "optax._src.transform.ScaleByAdamState";
constexpr std::string_view kJaxArrays[] = {"jax._src.array._reconstruct_array",
                                           "jax._src.device_array.reconstruct_device_array"};

PickleOptions allowed() {
  PickleOptions options;
  options.globals = numpy_globals();
  options.globals.insert(
      options.globals.end(),
      {"optax._src.base.EmptyState", std::string(kAdamState), "optax._src.transform.ScaleState",
       "optax._src.transform.ScaleByScheduleState", "optax._src.clipping.ClipByGlobalNormState"});
  options.globals.insert(options.globals.end(), std::begin(kJaxArrays), std::end(kJaxArrays));
  return options;
}

/// An array of jax is saved as the numpy array it holds, one level further in: called with (numpy's
/// own call, its arguments, its state, what jax adds).
ArrayData array_of(const PickleValue& value, const std::string& what) {
  const bool jax =
      value.kind == Kind::Object &&
      std::find(std::begin(kJaxArrays), std::end(kJaxArrays), value.text) != std::end(kJaxArrays);
  if (!jax) return numpy_array(value, what);
  const auto parts = value.args->as_sequence(what);
  if (parts.size() < 3 || parts[0]->kind != Kind::Global)
    throw Error("{} is not an array of jax that this program reads", what);
  PickleValue inner;
  inner.kind = Kind::Object;
  inner.text = parts[0]->text;
  inner.args = parts[1];
  inner.state = parts[2];
  return numpy_array(inner, what);
}

FloatArray floats_of(const PickleValue& value, const std::string& what) {
  const auto array = array_of(value, what);
  FloatArray floats{array.shape, {}};
  if (array.dtype == Dtype::F32) {
    floats.values = array.values<float>();
  } else if (array.dtype == Dtype::F64) {
    for (const double number : array.values<double>())
      floats.values.push_back(static_cast<float>(number));
  } else {
    throw Error("{} holds numbers of type {}; expected F32", what, dtype_name(array.dtype));
  }
  return floats;
}

HaikuArrays arrays_of(const PickleValue& value, const std::string& what) {
  HaikuArrays arrays;
  for (const auto& [module, leaves] : value.as_dict(what)) {
    auto& layer = arrays[std::string(module)];
    for (const auto& [leaf, array] :
         leaves->as_dict(fmt::format("{}'s '{}'", what, printable(module))))
      layer[std::string(leaf)] =
          floats_of(*array, fmt::format("{}'s '{} {}'", what, printable(module), printable(leaf)));
  }
  return arrays;
}

std::int64_t count_of(const PickleValue& value) {
  if (value.kind == Kind::Int) return value.integer;
  const auto array = array_of(value, "Adam's count");
  if (array.shape.empty() && array.dtype == Dtype::I32) return array.values<std::int32_t>()[0];
  if (array.shape.empty() && array.dtype == Dtype::I64) return array.values<std::int64_t>()[0];
  throw Error("Adam's count is not a whole number");
}

/// Optax nests the states of what it chains in tuples; Adam's may lie anywhere among them.
const PickleValue* find_adam(const PickleValue& value) {
  if (value.is_object(kAdamState)) return &value;
  if (value.kind != Kind::Tuple && value.kind != Kind::List) return nullptr;
  for (const auto* item : value.items)
    if (const auto* found = find_adam(*item)) return found;
  return nullptr;
}

std::optional<HaikuPickle::Adam> adam_of(const PickleValue* states) {
  const auto* state = states == nullptr ? nullptr : find_adam(*states);
  if (state == nullptr) return std::nullopt;
  const auto parts = state->args->as_sequence("Adam's state");
  if (parts.size() != 3) throw Error("Adam's state has {} parts; expected 3", parts.size());
  return HaikuPickle::Adam{.updates = count_of(*parts[0]),
                           .m = arrays_of(*parts[1], "Adam's mu"),
                           .v = arrays_of(*parts[2], "Adam's nu")};
}

HaikuPickle checkpoint_of(const PickleValue& root, const std::string& name) {
  const auto* parameters = root.kind == Kind::Dict ? root.find("params") : nullptr;
  if (parameters == nullptr)
    throw Error(
        "'{}' is not a checkpoint of the benchmark: it holds {}; expected a dict with 'params' and "
        "'opt_state', as its training script saves",
        name, root.kind == Kind::Dict ? "no 'params'" : std::string(pickle_kind_name(root.kind)));
  try {
    return {.parameters = arrays_of(*parameters, "params"),
            .adam = adam_of(root.find("opt_state"))};
  } catch (const Error& error) {
    throw Error("'{}': {}", name, error.what());
  }
}

}  // namespace

HaikuPickle read_haiku_pickle(const std::filesystem::path& path) {
  const auto pickle = Pickle::open(path, allowed());
  return checkpoint_of(pickle.root(), path.string());
}

HaikuPickle read_haiku_pickle(std::span<const std::byte> bytes, const std::string& name) {
  const auto pickle = Pickle::from_bytes(bytes, name, allowed());
  return checkpoint_of(pickle.root(), name);
}

}  // namespace npq::train
