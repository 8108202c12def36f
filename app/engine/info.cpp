// npq info, the part of npq-engine: libtorch, and which library computes its matrix products.
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/about.h"
#include "app/engine/engine.h"

namespace npq::app {
namespace {

namespace fs = std::filesystem;

/// Where a function of this process comes from.
struct Home {
  fs::path file;            // empty: there is no such function
  bool in_program = false;  // defined by npq-engine itself
};

Home home_of(const char* function) {
  const void* address = dlsym(RTLD_DEFAULT, function);
  Dl_info found, own;
  if (address == nullptr || dladdr(address, &found) == 0) return {};
  // By address, not by name: npq hands its own argv[0] over, which dladdr repeats.
  static const int here = 0;
  const bool in_program = dladdr(&here, &own) != 0 && own.dli_fbase == found.dli_fbase;
  std::error_code ignored;
  return {in_program ? fs::path("/proc/self/exe") : fs::canonical(found.dli_fname, ignored),
          in_program};
}

struct Blas {
  std::string name, warning;
};

/// The library whose sgemm_ every float product of torch calls.
Blas blas() {
  const auto home = home_of("sgemm_");
  if (home.file.empty()) return {"inside libtorch", ""};
  if (home.in_program) return {"oneDNN, through npq-engine's own sgemm_", ""};
  const auto name = home.file.filename().string();
  if (name.find("mkl") != std::string::npos) return {"MKL", ""};
  if (name.find("openblas") == std::string::npos && home_of("openblas_get_corename").file.empty())
    return {fmt::format("reference BLAS ({})", name),
            "libtorch uses the reference BLAS, about 30 times slower than what this CPU can do; "
            "build with libdnnl-dev or install libopenblas0-openmp"};
  Blas openblas{fmt::format("OpenBLAS ({})", name), ""};
  using CoreName = char* (*)();
  if (const auto core = reinterpret_cast<CoreName>(dlsym(RTLD_DEFAULT, "openblas_get_corename"))) {
    openblas.name = fmt::format("OpenBLAS, core {}", core());
    if (std::string_view(core()) == "Prescott")
      openblas.warning =
          "OpenBLAS does not know this CPU and uses its slowest kernels, about 5 times slower; "
          "set OPENBLAS_CORETYPE=SkylakeX (or Haswell), or build with libdnnl-dev";
  }
  return openblas;
}

}  // namespace

nlohmann::json about_engine() {
  auto known = about(use_threads(0));
  known["libtorch"] = TORCH_VERSION;
  const auto [name, warning] = blas();
  known["blas"] = name;
  known["warnings"] = nlohmann::json::array();
  if (!warning.empty()) known["warnings"].push_back(warning);
  return known;
}

}  // namespace npq::app
