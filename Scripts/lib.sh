# What the scripts here share. It is sourced, never run, and leaves the caller in the root of the package.
# shellcheck shell=bash

set -euo pipefail

# shellcheck disable=SC2034 # for scripts that are given file names
invoked_in=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck disable=SC2034
package=$PWD

if [[ -t 1 ]]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; else bold='' dim='' plain=''; fi

say() { printf '%s\n' "$bold==> $*$plain"; }
note() { printf '%s\n' "    $dim$*$plain"; }
complain() { printf '%s\n' "${0##*/}: $*" >&2; }

# fail MESSAGE [STATUS]: says what happened and what to do about it, and stops.
fail() {
    complain "$1"
    exit "${2:-1}"
}

# elapsed BEGAN: the time since BEGAN, a value of EPOCHREALTIME, whatever this locale's decimal separator is.
elapsed() {
    local tenths=$(((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}) / 100000))
    printf '%d.%d s' $((tenths / 10)) $((tenths % 10))
}

# phase NAME COMMAND…: says what begins and how long it took. A command that fails ends the script with its status.
phase() {
    local name=$1 began=$EPOCHREALTIME
    shift
    say "$name"
    "$@"
    note "took $(elapsed "$began")"
}

# guarded COMMAND…: becomes a command that the kernel stops when the process that started it is gone, even by SIGKILL.
guarded() { exec setpriv --pdeathsig TERM -- "$@"; }

# attended COMMAND…: runs it so that a signal to this script is answered at once, where a plain call would wait for its end.
attended() {
    guarded "$@" &
    attended_process=$!
    wait "$attended_process"
}

# within MINUTES COMMAND…: what waits for ever is stopped, so that there is a word on it and the other gates run.
within() {
    local status=0
    timeout --kill-after=20s "$1m" "${@:2}" || status=$?
    ((status != 124 && status != 137)) || complain "it did not end within $1 minutes, and was stopped: ${*:2}"
    return "$status"
}

# stop PROCESS…: ends children of this script and waits until they are gone.
stop() {
    local process
    for process; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
}

# as_root COMMAND…
as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

can_be_root() { ((EUID == 0)) || command -v sudo >/dev/null; }

# Sets `photographs` to a folder of JPEGs: real ones, or ours where those cannot be had, which the scripts then say.
# shellcheck disable=SC2034 # for the scripts that call this
find_photographs() {
    local status=0
    photographs=.build/demo/photos
    Scripts/photos || status=$?
    ((status != 0)) || return 0
    ((status == 3)) || exit "$status"
    photographs=.build/demo/pictures
    Scripts/pictures
}

# A digest of everything that the compiler reads.
sources_digest() {
    find Package.swift Sources Tests Benchmarks Examples Fuzz -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum
}

# What the compiler said while it built all targets and tests from nothing, after a line with the digest of the sources:
# only such a log speaks for every file, because a file that is not compiled again keeps its warnings to itself.
full_build_log=.build/logs/full-build.log

# build_everything SCRATCH: all targets and all tests, for debugging.
build_everything() {
    local build=(swift build --build-tests --scratch-path "$1")
    if [[ -e $1/debug ]]; then
        "${build[@]}"
        return
    fi
    mkdir -p "${full_build_log%/*}"
    rm -f "$full_build_log"
    sources_digest >"$full_build_log.part"
    "${build[@]}" 2>&1 | tee -a "$full_build_log.part"
    mv "$full_build_log.part" "$full_build_log"
}

# Sets `corpus` to the folder of the public suites.
# shellcheck disable=SC2034 # for the scripts that call this
find_corpus() {
    corpus=${BOWERBIRD_CORPUS:-../shared/corpus}
    [[ -d $corpus ]] || fail "the public suites are neither at ../shared/corpus nor where BOWERBIRD_CORPUS says."
}

sweep=.build/sweep/release/bowerbird-sweep

# Sets what the sweep is run with, too: libraries leave memory to the end of the process, allocations that fail are
# answered, and what is freed is soon given back, so that what counts is what is used. Swift's own report of a crash would
# keep the process alive.
build_sweep() {
    export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=16:hard_rss_limit_mb=3000
    export SWIFT_BACKTRACE=enable=no
    swift build --configuration release --product bowerbird-sweep --sanitize address --scratch-path .build/sweep
    grep -q __asan_init "$sweep" || fail "the sweep was built without the address sanitizer."
}
