#pragma once
// PyTorch's side of torch.distributed in C++. It promises nothing for the next version: what depends
// on the version belongs here.
#include <c10/util/Logging.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

namespace npq::train {

/// No lines of its own on standard error, from here on and in the whole process.
inline void keep_c10d_quiet() {
#ifdef C10_USE_GLOG
  FLAGS_minloglevel = google::GLOG_FATAL;
#else
  FLAGS_caffe2_log_level = c10::GLOG_FATAL;
#endif
}

}  // namespace npq::train
