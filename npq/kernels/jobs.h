#pragma once
#include <cstddef>
#include <functional>

namespace npq::kernels {

/// Calls body(0) .. body(count - 1), each once, in no fixed order, on up to `threads` threads of
/// OpenMP's pool (which libtorch uses too: one pool, no thread is started per call). `body` must
/// not throw. The library for C has a pool of its own in its place.
void run_jobs(int threads, int count, const std::function<void(int)>& body);

/// How work is divided: by its sizes alone, never by the number of threads. Sums over jobs are
/// added in the order of the jobs; so results have the same bits on any number of threads.
struct Range {
  int first = 0, last = 0;
};
Range part(int whole, int parts, int index);

/// Most jobs that keep their own copy of the weights' gradients.
inline constexpr int kMostGradientJobs = 16;

/// Numbers that the calling thread may use until its next call with the same `purpose`: memory that
/// is kept, grown when needed, aligned to 64 bytes, its content whatever it was.
float* scratch(std::size_t floats, int purpose);
inline constexpr int kScratchPurposes = 3;
inline constexpr int kForLoops = 0;  // one job's tiles
inline constexpr int kForCall = 1;   // packed weights and padded inputs of a call
inline constexpr int kForSums = 2;   // gradients of all jobs of a call

}  // namespace npq::kernels
