# A scan becomes issues, once: the same finding again makes none.
. "$LIB"
repository
mkdir src
printf 'export const isOff = (value: number) => value === NaN\n' >src/a.ts
git add --all && git commit --quiet --message Start

deepscan run ./src --jsonl 2>err | tissue import - --quiet >first
expect_one_line first
deepscan run ./src --jsonl 2>err | tissue import - --quiet >second
expect_empty second
tissue show "$(cat first)" --json | deepscan fix >seen
cat src/a.ts >seen
expect_same seen <<'EOF'
export const isOff = (value: number) => Number.isNaN(value)
EOF
expect_code 3 sh -c 'tissue show "$(cat first)" --json | deepscan fix'
