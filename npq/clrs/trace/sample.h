#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "npq/clrs/spec/spec.h"

namespace npq::clrs {

/// Bytes of one step of a probe in compact form: a scalar takes eight per place, a mask or class
/// one, a pointer two, a mask_one two in all (the index of its 1).
std::size_t frame_bytes(const Probe& probe, int nodes);

/// One probe of one sample: `length` frames (one for inputs, outputs and constants), read where
/// they lie.
class Series {
 public:
  Series(const Probe& probe, int nodes, int length, const std::byte* data)
      : probe_(&probe), nodes_(nodes), length_(length), data_(data) {}

  const Probe& probe() const { return *probe_; }
  int nodes() const { return nodes_; }
  /// Steps that this probe has: T for hints, 1 for inputs and outputs.
  int length() const { return length_; }

  /// Frame t as stored: double for scalars, int8 for masks, uint8 for classes, uint16 for pointers
  /// and mask_one.
  template <class T>
  std::span<const T> frame(int t) const {
    const std::size_t bytes = frame_bytes(*probe_, nodes_);
    return {reinterpret_cast<const T*>(data_ + (probe_->constant ? 0 : t * bytes)),
            bytes / sizeof(T)};
  }

  /// Frame t as the benchmark lays it out: elements(probe, nodes) numbers, one-hot where the spec
  /// says so. `Out` is double, float or std::int64_t.
  template <class Out>
  void expand(int t, Out* out) const;

 private:
  const Probe* probe_;
  int nodes_;
  int length_;
  const std::byte* data_;
};

/// One run of an algorithm: inputs, hints over `length` steps, outputs, in compact form. The spec
/// must outlive it.
class Sample {
 public:
  Sample(const Spec& spec, int nodes, int length, std::shared_ptr<const std::byte[]> bytes);

  const Spec& spec() const { return *spec_; }
  int nodes() const { return nodes_; }
  int length() const { return length_; }
  std::size_t bytes() const;

  Series series(std::size_t probe) const;
  Series series(std::string_view name) const;

 private:
  const Spec* spec_;
  int nodes_;
  int length_;
  std::shared_ptr<const std::byte[]> bytes_;
};

/// Frames kept of a probe in a run of `length` steps.
int frames_kept(const Probe& probe, int length);
/// Where each probe of the spec begins in a sample's bytes, and as last entry how long they are.
/// Everything is aligned to 8.
std::vector<std::size_t> offsets(const Spec& spec, int nodes, int length);

}  // namespace npq::clrs
