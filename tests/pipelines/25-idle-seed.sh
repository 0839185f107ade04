# The lines that the idle project prints for its agents, as they stand there.
. "$LIB"
repository

jwz init >/dev/null
jwz topic new "issue:auth-123" >/dev/null
jwz post "issue:auth-123" -m "[oracle] STARTED: Analyzing auth feature" --role oracle >id
jwz read "issue:auth-123" >seen
grep -q "STARTED: Analyzing" seen || fail "not read: $(cat seen)"
jwz reply "$(cat id)" -m "[oracle] FINDING: Race condition in handler.go:45" --role oracle >/dev/null
jwz post "issue:auth-123" --role reviewer \
  -m "[reviewer] REVIEW: Token security
Path: .claude/plugins/idle/reviewer/token.md
Summary: security of the token check
Blocking: 1" >/dev/null

jwz search "security" --quiet >seen
expect_one_line seen
jwz search "REVIEW:" --quiet >seen
expect_one_line seen
jwz search "STARTED:" | grep handler && fail "a search finds what it does not show"
expect_code 3 jwz search "RESEARCH:"
expect_code 3 jwz search "ANALYSIS:"
jwz search "issue:auth-123" --from oracle --quiet >seen
expect_lines 2 seen
jwz read "issue:auth-123" | grep "Path:" >seen
expect_same seen <<'EOF'
Path: .claude/plugins/idle/reviewer/token.md
EOF
jwz read "issue:auth-123" --limit 10 --quiet >seen
expect_lines 3 seen

jwz post "loop:current" -m '{"schema":1,"event":"STATE","stack":[{"mode":"grind","iter":3},{"mode":"issue","iter":2}]}' >/dev/null
STATE=$(jwz read "loop:current" | tail -1)
echo "$STATE" | jq -r '.stack[-1]' >/dev/null
jwz read "loop:current" | tail -1 | jq -r '.stack[-1].mode' >seen
expect_same seen <<'EOF'
issue
EOF
jwz post loop:anchor -m "Working on auth-123" >/dev/null
jwz read loop:anchor | tail -1 >seen
expect_same seen <<'EOF'
Working on auth-123
EOF
