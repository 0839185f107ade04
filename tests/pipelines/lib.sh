# Named assertions for the pipelines, after git's own test library. The command under test is never inside a pipe unless the pipe is what is tested.
set -euo pipefail

fail() { echo "FAIL: $*" >&2; exit 1; }

# expect_code N COMMAND...: it ends with N; its output is in ./out and ./err.
expect_code() {
  local expected=$1 code=0
  shift
  "$@" >out 2>err || code=$?
  [ "$code" -eq "$expected" ] || fail "expected exit $expected, got $code: $* ($(cat err))"
}

expect_ok() { expect_code 0 "$@"; }

# expect_same FILE: FILE is what stands on stdin.
expect_same() {
  cat >expected
  diff -u expected "$1" >&2 || fail "$1 is not as expected"
}

expect_empty() { [ ! -s "$1" ] || fail "$1 is not empty: $(cat "$1")"; }

expect_lines() { [ "$(wc -l <"$2")" -eq "$1" ] || fail "expected $1 lines in $2, got $(wc -l <"$2")"; }

expect_one_line() { expect_lines 1 "$1"; }

repository() {
  git init --quiet --initial-branch=main repo && cd repo
  git config user.name Tester && git config user.email tester@example.invalid
}
