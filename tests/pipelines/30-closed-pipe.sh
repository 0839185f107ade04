# A reader that goes away ends a writer quietly.
. "$LIB"
repository

seq 1 20000 | jwz post numbers --stdin --quiet >ids
expect_lines 20000 ids
set +o pipefail
jwz read numbers --limit 20000 2>err | head -1 >seen
codes=("${PIPESTATUS[@]}")
set -o pipefail
[ "${codes[0]}" -eq 0 ] || fail "jwz read into head -1 ended with ${codes[0]}"
expect_empty err
sort -u ids >unique
expect_lines 20000 unique
