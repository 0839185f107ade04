# A topic as a register that programs read with jq, and a question that waits for its answer.
. "$LIB"
repository

jwz post loop:current -m '{"stack":[{"mode":"task"}]}' >/dev/null
jwz post loop:current -m '{"stack":[{"mode":"issue","issue_id":"auth-123"}]}' >/dev/null
jwz read "loop:current" | tail -1 | jq -r '.stack[-1].issue_id' >seen
expect_same seen <<'EOF'
auth-123
EOF

question=$(jwz post ask -m "Ship it?" --as alice)
jwz reply "$question" -m "Yes" --as bob >/dev/null
expect_ok jwz wait ask --reply-to "$question" --timeout 20s --json
jq -r .body out >seen
expect_same seen <<'EOF'
Yes
EOF
expect_code 124 jwz wait ask --match never --timeout 200ms
