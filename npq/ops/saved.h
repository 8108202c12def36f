#pragma once
#include <ATen/core/ivalue.h>

#include <utility>

namespace npq::ops {

/// Values other than tensors, kept for the backward pass in a graph of gradients: for saved_data.
template <class Value>
class SavedValue : public torch::CustomClassHolder {
 public:
  static at::IValue save(Value value) {
    return at::IValue::make_capsule(c10::make_intrusive<SavedValue>(std::move(value)));
  }
  static Value load(const at::IValue& saved) {
    return static_cast<const SavedValue&>(*saved.toCapsule()).value_;
  }
  explicit SavedValue(Value value) : value_(std::move(value)) {}

 private:
  Value value_;
};

template <class Value>
at::IValue saved_value(Value value) {
  return SavedValue<Value>::save(std::move(value));
}

/// As it was saved, under the same type.
template <class Value>
Value loaded_value(const at::IValue& saved) {
  return SavedValue<Value>::load(saved);
}

}  // namespace npq::ops
