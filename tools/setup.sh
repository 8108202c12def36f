# Sourced by ./run and ./test: the Debian packages that the project needs, in one place, and how they get here.
# Everything it says goes to stderr, so that stdout stays what npq prints.

build_packages=(g++ cmake ninja-build git ca-certificates libcli11-dev libfmt-dev nlohmann-json3-dev libssl-dev zlib1g-dev)
torch_packages=(libtorch-dev libgloo-dev libdnnl-dev libopenblas0-openmp)
chemistry_packages=(librdkit-dev libboost-dev)  # reads and builds molecules: npq peptides import, generate
test_packages=("${chemistry_packages[@]}" libgtest-dev libgmock-dev libbenchmark-dev python3 python3-numpy python3-venv
               python3-torch python3-pytest  # 23 MB beside libtorch: the Python package is tried with it
               clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev slurm-wlm chromium fonts-dejavu-core)
# Faster builds, and two commands that say what they lack; everything else works without them.
helpful_packages=(ccache mold "${chemistry_packages[@]}")

say() { printf '%s\n' "$*" >&2; }

# missing PACKAGE... : those that are not installed, one per line. Asks dpkg only: no network, a few milliseconds.
missing() {
  local package state
  declare -A installed=()
  while read -r state package; do
    [[ $state == ii ]] && installed[$package]=yes
  done < <(dpkg-query --show --showformat '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null)
  for package in "$@"; do
    [[ ${installed[$package]:-} ]] || printf '%s\n' "$package"
  done
}

# set_up GROUP... : installs what is missing of build, torch, test. Returns 1 when that is impossible.
set_up() {
  [[ ${NPQ_SETUP:-on} == off ]] && return 0
  if ! command -v dpkg-query >/dev/null; then
    say "This is not a Debian system, so packages are not installed; CONTRIBUTING.md lists what is needed."
    return 0
  fi
  local wanted=() needed=() helpful=() group list
  for group in "$@"; do
    list="${group}_packages[@]"
    wanted+=("${!list}")
  done
  mapfile -t needed < <(missing "${wanted[@]}")
  mapfile -t helpful < <(missing "${helpful_packages[@]}")
  local all=("${needed[@]}" "${helpful[@]}")
  [[ ${#all[@]} -eq 0 ]] && return 0

  local as_root=() command="apt-get update && apt-get install --yes --no-install-recommends ${all[*]}"
  if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
      [[ ${#needed[@]} -eq 0 ]] && return 0
      say "Packages are missing, and installing them needs root or sudo, which this user does not have: ${needed[*]}"
      say "Run this once as root, then try again:"
      say "  $command"
      return 1
    fi
    as_root=(sudo)
  fi
  say "Installing Debian packages: ${all[*]}"
  if ! { "${as_root[@]}" apt-get update -qq &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
           apt-get install --yes -qq --no-install-recommends "${all[@]}"; } >&2; then
    [[ ${#needed[@]} -eq 0 ]] && return 0
    say "apt-get could not install them (its message is above). Needed: ${needed[*]}"
    say "Once the network or the package sources are in order, try again, or run by hand:"
    say "  $command"
    return 1
  fi
}

# What the programs need: libtorch as soon as a folder of the library is built on it.
program_groups() {
  echo build
  if grep -q 'find_package(Torch' npq/CMakeLists.txt; then echo torch; fi
}

# build PRESET [TARGET...] : configures if there is no build folder yet, then builds what changed. Quiet but for
# progress; a failure shows the compiler's words.
build() {
  local preset=$1 folder=build/$1 log=build/$1/build.log lock
  shift
  # ccache's own place is the home folder, and nothing outside the project is ours to write.
  export CCACHE_DIR=${CCACHE_DIR:-$PWD/build/ccache}
  # Paths below the project count from the build folder, so that what one preset compiled serves the others.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
  mkdir -p "$folder"
  exec {lock}>"$folder/.lock"
  flock "$lock"  # a second ./run waits here instead of building over the first
  if [[ ! -f $folder/build.ninja ]]; then
    with_progress "Configuring $folder" "$log" cmake --preset "$preset" || return 1
  fi
  with_progress "Building $folder" "$log" ninja -C "$folder" "$@" || return 1
  exec {lock}>&-
}

# with_progress TITLE LOG COMMAND... : runs the command with its words in LOG; says how far it is, on a terminal in one
# line, else every ten seconds; shows the words if it fails.
with_progress() {
  local title=$1 log=$2 tenths=0 status=0 step
  shift 2
  "$@" >"$log" 2>&1 &
  local pid=$!
  # A background process of a script does not hear Ctrl-C.
  trap 'kill "$pid" 2>/dev/null; wait "$pid"; say ""; say "Stopped."; exit 130' INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.1
    tenths=$((tenths + 1))
    step=$(grep -o '^\[[0-9]*/[0-9]*\]' "$log" | tail -n 1 || true)
    if [[ -t 2 ]]; then
      printf '\r%s %s ' "$title" "$step" >&2
    elif ((tenths == 10 || tenths % 100 == 0)); then
      say "$title $step"
    fi
  done
  wait "$pid" || status=$?
  trap - INT TERM
  [[ -t 2 ]] && printf '\r\033[K' >&2
  if ((status != 0)); then
    grep -v '^\[[0-9]*/[0-9]*\]' "$log" >&2 || true
    say "$title failed; the reason is above, and in $log."
  fi
  return "$status"
}
