#pragma once
#include <algorithm>
#include <cstddef>

// Gradients that are not wanted are null pointers.
namespace npq::kernels {

template <class Number>
void clear(Number* numbers, std::size_t count) {
  if (numbers) std::fill_n(numbers, count, Number(0));
}

template <class Number>
void add(Number* numbers, std::size_t at, Number value) {
  if (numbers) numbers[at] += value;
}

}  // namespace npq::kernels
