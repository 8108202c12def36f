#pragma once
#include <nlohmann/json_fwd.hpp>

#include "app/engine/evaluate_command.h"
#include "app/engine/import_command.h"
#include "app/engine/peptides_evaluate_command.h"
#include "app/engine/predict_command.h"
#include "app/engine/prove_command.h"
#include "app/engine/speed/speed_command.h"
#include "app/engine/trace_command.h"
#include "app/engine/training/peptides_train_command.h"
#include "app/engine/training/train_command.h"

// The actions of npq-engine, one file each.
namespace npq::app {

int run_train(const TrainCommand& command);
int run_evaluate(const EvaluateCommand& command);
int run_predict(const PredictCommand& command);
int run_prove(const ProveCommand& command);
int run_import_haiku(const ImportCommand& command);
int run_bench(const SpeedCommand& command);
int run_bench_processor(const ProcessorCommand& command);
int run_bench_kernels(const KernelsCommand& command);
int run_check(const CheckCommand& command);
int run_trace(const TraceCommand& command);
int run_peptides_evaluate(const PeptidesEvaluateCommand& command);
int run_peptides_train(const PeptidesTrainCommand& command);
/// What `npq info` says about libtorch.
nlohmann::json about_engine();

/// Threads of torch and of our own loops; 0 takes all cores, divided among so many processes.
int use_threads(int threads, int processes = 1);

/// From now on the memory of large tensors is returned to the system when they are freed. For
/// evaluations: with graphs of 256 nodes each takes tens of megabytes, and a fragmented heap would
/// keep a quarter of the program's memory.
void give_large_memory_back();

/// The opposite, for training on large batches, where every step needs the same tensors again:
/// freed memory stays with the process, and the system need not clear new pages (a tenth of the
/// time with peptides).
void keep_large_memory();

}  // namespace npq::app
