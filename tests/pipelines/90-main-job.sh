# The main job, with a scanner that takes its time and a shell that minds every exit code.
. "$LIB"
repository
mkdir src
printf 'export const isOff = (value: number) => value === NaN\n' >src/a.ts
printf "export const isText = (value: unknown) => typeof value === 'strnig'\n" >src/b.ts
git add --all && git commit --quiet --message Start

slow_scan() { sleep 5; deepscan run ./src --jsonl; }
slow_scan 2>err | tissue import - --quiet | loop run --issues - -j 2 --with 'deepscan fix' --verify 'test -s src/a.ts' --jsonl >results 2>progress
grep -q 'landed' progress || fail "no progress on stderr: $(cat progress)"
jq -r .outcome results >seen
expect_same seen <<'EOF'
landed
landed
EOF
cat src/a.ts src/b.ts >seen
expect_same seen <<'EOF'
export const isOff = (value: number) => Number.isNaN(value)
export const isText = (value: unknown) => typeof value === 'string'
EOF
tissue list --quiet >seen
expect_empty seen
git status --porcelain -- src .worktrees >seen
expect_empty seen
deepscan run ./src --jsonl 2>err >seen
expect_empty seen
