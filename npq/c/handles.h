#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "npq/base/error.h"
#include "npq/c/npq.h"

// The basis of the C interface: objects by handle, and exceptions turned into statuses.
namespace npq::c {

/// Anything that a handle may stand for.
class Thing {
 public:
  virtual ~Thing() = default;
  virtual std::string_view kind() const = 0;  // "dataset", for messages
};

/// Keeps the thing alive until npq_free(); the number is new.
npq_handle keep(std::shared_ptr<Thing> thing);
/// The thing, which lives as long as the caller holds it; an unknown handle is a UsageError.
std::shared_ptr<Thing> find(npq_handle handle);
void free(npq_handle handle);

/// The thing behind a handle, which must be a T.
template <class T>
std::shared_ptr<T> find_as(npq_handle handle) {
  auto thing = find(handle);
  if (auto wanted = std::dynamic_pointer_cast<T>(thing)) return wanted;
  throw UsageError("handle {} is a {}; expected a {}", handle, thing->kind(), T::kKind);
}

struct Text : Thing {
  static constexpr std::string_view kKind = "text";
  explicit Text(std::string text) : bytes(std::move(text)) {}
  std::string_view kind() const override { return kKind; }
  const std::string bytes;
};

/// Null is a UsageError that names the argument.
template <class T>
T* required(T* pointer, std::string_view name) {
  if (!pointer) throw UsageError("'{}' is a null pointer; pass the address of one", name);
  return pointer;
}

/// Runs the body; what it throws becomes a status and this thread's last error.
npq_status guarded(const std::function<void()>& body) noexcept;
const char* last_error() noexcept;

/// Threads that a call may use; 0: all.
int threads();
void set_threads(int count);

}  // namespace npq::c
