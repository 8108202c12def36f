#pragma once

// Every reader of JSON, as the first byte of a fuzzer's input names it: shared with what writes the
// inputs to start from.
namespace npq::fuzz {

enum class Reader : unsigned char {
  Config,
  TrainOptions,
  PeptidesOptions,
  Metadata,
  Experiment,
  Plan,
  Record,
  RunConfig,
  Metrics,
  MetricsEnd,
  MetricsCut,
  MetricsTable,
  Result,
  Evaluation,
  FurtherEvaluation,
  ResultFile,
  Input,
  Split,
  TensorHeader,
  Count
};

}  // namespace npq::fuzz
