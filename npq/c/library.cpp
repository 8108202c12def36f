// What every caller needs: the version, errors, threads, texts.
#include "npq/base/parallel.h"
#include "npq/c/handles.h"

using namespace npq::c;

int32_t npq_abi_version() { return NPQ_ABI_VERSION; }

const char* npq_version() { return NPQ_VERSION; }

const char* npq_last_error() { return last_error(); }

npq_status npq_set_threads(int32_t count) {
  return guarded([&] { set_threads(count); });
}

int32_t npq_threads() { return threads() > 0 ? threads() : npq::available_threads(); }

npq_status npq_free(npq_handle handle) {
  return guarded([&] { npq::c::free(handle); });
}

npq_status npq_text(npq_handle text, const char** bytes, size_t* length) {
  return guarded([&] {
    required(bytes, "bytes");
    required(length, "length");
    const auto found = find_as<Text>(text);
    *bytes = found->bytes.c_str();
    *length = found->bytes.size();
  });
}
