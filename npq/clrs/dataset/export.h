#pragma once
#include <filesystem>

#include "npq/clrs/dataset/dataset.h"

namespace npq::clrs {

enum class FileFormat { Safetensors, Npz };
enum class FileLayout {
  Samples,  // <k>/input/<name>, <k>/hint/<name> [T, ...], <k>/output/<name>, <k>/length, in the
            // benchmark's dtypes
  Padded,   // input/<name> [K, ...], hint/<name> [T, K, ...] with zeros after each end,
            // output/<name>, lengths: float64
};

/// Writes a dataset as one file, atomically. `progress` counts arrays.
void export_dataset(const Dataset& dataset, const std::filesystem::path& path, FileFormat format,
                    FileLayout layout, const Progress& progress = {});

}  // namespace npq::clrs
