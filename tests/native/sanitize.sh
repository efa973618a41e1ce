#!/usr/bin/env bash
# Builds the native extension with sanitizers and runs its tests: AddressSanitizer and
# UndefinedBehaviorSanitizer on the tests of native code, ThreadSanitizer on tests/native/threads.py.
# Only the extension is instrumented; Python, JAX, NumPy and SciPy are as they were installed.
#
#   tests/native/sanitize.sh [address|thread]    (default: both)
#
# Needs GCC on Linux, CMake, nanobind and the test extra in the Python that PYTHON names.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${PYTHON:-python3}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# build SANITIZERS: a copy of the package with the instrumented extension, in $tmp.
build() {
    rm -rf "$tmp/build" "$tmp/jaxsci" "$tmp/tests"
    cmake -S "$root/jaxsci/_native" -B "$tmp/build" -DCMAKE_CXX_COMPILER=g++ \
        -DPython_EXECUTABLE="$(command -v "$python")" -DJAXSCI_SANITIZE="$1" >"$tmp/log"
    cmake --build "$tmp/build" >>"$tmp/log" || { cat "$tmp/log"; return 1; }
    cp -R "$root/jaxsci" "$root/tests" "$tmp/"
    rm -f "$tmp"/jaxsci/_native/*.so
    cp "$tmp"/build/_ufunc_call*.so "$tmp"/build/_lapack*.so "$tmp/jaxsci/_native/"
    # An editable install comes before PYTHONPATH, and would be tested in its place.
    (cd "$tmp" && PYTHONPATH="$tmp" "$python" - "$tmp" <<'EOF'
import importlib.util, sys
found = importlib.util.find_spec("jaxsci").origin
sys.exit(None if found.startswith(sys.argv[1]) else f"jaxsci would be imported from {found}")
EOF
    )
}

# The first library that is preloaded must be the sanitizer's; the C++ one is there for its
# exceptions, which AddressSanitizer looks for when it starts.
preload() {
    local name libraries=""
    for name in "$1" libstdc++.so; do
        libraries+=" $(realpath "$(g++ -print-file-name="$name")")"
    done
    echo "$libraries"
}

address() {
    build address,undefined
    # Python is not told to free what it has when it ends, and pbdv asks for more memory than there
    # can be, which must fail as malloc does. A few ufuncs stand for all: the handler is one.
    (cd "$tmp" && LD_PRELOAD="$(preload libasan.so)" \
        ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1 \
        UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
        JAXSCI_MUST_BE_NATIVE=1 PYTHONPATH="$tmp" \
        "$python" -m pytest -q -c "$root/pyproject.toml" --rootdir="$tmp" -p no:cacheprovider \
        -n 0 tests/native tests/linalg/test_linalg_lapack.py \
        -k "not every_ufunc or jv or sici or expn")
}

thread() {
    build thread
    # What is not instrumented is not judged: its synchronisation cannot be seen. The rest is in
    # the suppressions, with reasons.
    (cd "$tmp" && LD_PRELOAD="$(preload libtsan.so)" \
        TSAN_OPTIONS="ignore_noninstrumented_modules=1:report_signal_unsafe=0:halt_on_error=0:exitcode=66:suppressions=$root/tests/native/thread_suppressions.txt" \
        JAX_ENABLE_X64=1 JAX_PLATFORMS=cpu PYTHONPATH="$tmp" \
        "$python" tests/native/threads.py)
}

case "${1:-both}" in
    address) address ;;
    thread) thread ;;
    both) address && thread ;;
    *) echo "usage: $0 [address|thread]" >&2; exit 2 ;;
esac
