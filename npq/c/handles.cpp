#include "npq/c/handles.h"

#include <pthread.h>

#include <atomic>
#include <mutex>
#include <new>
#include <unordered_map>

namespace npq::c {
namespace {

struct Registry {
  std::mutex mutex;
  std::unordered_map<npq_handle, std::shared_ptr<Thing>> things;
  npq_handle next = 1;
};

Registry* made_registry();

/// Never destroyed: other threads may still call while the process ends.
Registry& registry() {
  static Registry* const all = made_registry();
  return *all;
}

/// A fork waits until no thread uses the registry, so the child finds it consistent and unlocked.
Registry* made_registry() {
  pthread_atfork([] { registry().mutex.lock(); }, [] { registry().mutex.unlock(); },
                 [] { registry().mutex.unlock(); });
  return new Registry;
}

std::atomic<int> wanted_threads{0};

/// Room for a message even when memory has run out.
constexpr std::size_t kLongestMessage = 4096;
thread_local char message[kLongestMessage] = "";

npq_status fail(npq_status status, std::string_view why) noexcept {
  const auto length = why.copy(message, kLongestMessage - 1);
  message[length] = '\0';
  return status;
}

}  // namespace

npq_handle keep(std::shared_ptr<Thing> thing) {
  auto& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto handle = all.next++;
  all.things.emplace(handle, std::move(thing));
  return handle;
}

std::shared_ptr<Thing> find(npq_handle handle) {
  auto& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.things.find(handle);
  if (found == all.things.end())
    throw UsageError("there is nothing with the handle {}; it was freed, or never given", handle);
  return found->second;
}

void free(npq_handle handle) {
  auto& all = registry();
  std::shared_ptr<Thing> last;  // destroyed outside the lock
  const std::lock_guard lock(all.mutex);
  const auto found = all.things.find(handle);
  if (found == all.things.end())
    throw UsageError("there is nothing with the handle {} to free", handle);
  last = std::move(found->second);
  all.things.erase(found);
}

npq_status guarded(const std::function<void()>& body) noexcept {
  try {
    body();
    return NPQ_OK;
  } catch (const UsageError& error) {
    return fail(NPQ_BAD_ARGUMENT, error.what());
  } catch (const std::bad_alloc&) {
    return fail(NPQ_FAILED, "there is not enough memory for this; ask for less at a time");
  } catch (const std::length_error&) {
    return fail(NPQ_FAILED, "there is not enough memory for this; ask for less at a time");
  } catch (const std::exception& error) {
    return fail(NPQ_FAILED, error.what());
  } catch (...) {
    return fail(NPQ_FAILED, "something that has no name went wrong; please report it");
  }
}

const char* last_error() noexcept { return message; }

int threads() { return wanted_threads; }

void set_threads(int count) {
  if (count < 0) throw UsageError("{} threads were asked for; give 1 or more, or 0 for all", count);
  wanted_threads = count;
}

}  // namespace npq::c
