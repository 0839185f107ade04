# What one agent posts another reads, from a shell, with nothing set up.
. "$LIB"
repository

expect_ok jwz post issue:auth-123 -m "Tests are green" --as alice
expect_one_line out
expect_empty err
id=$(cat out)

expect_ok jwz reply "$id" -m "- thanks, --no-verify is not needed" --as bob
jwz read issue:auth-123 --jsonl | jq -r '"\(.from): \(.body)"' >seen
expect_same seen <<'EOF'
alice: Tests are green
bob: - thanks, --no-verify is not needed
EOF

jwz read issue:auth-123 | grep green >seen
expect_same seen <<'EOF'
Tests are green
EOF

expect_code 3 jwz read nothing-here
expect_empty out
expect_one_line err
expect_code 2 jwz post issue:auth-123 --massage x
expect_one_line err
