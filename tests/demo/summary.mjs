// What the demo came to: read from the tracker, from git and from a new scan, never from what the tools printed on the way.

/** `loop run` ends with these when it has worked every issue: all of them done, some given up. */
const ordinaryEnds = [0, 1, 9]

function lines(text) {
  return text.split('\n').filter((line) => line !== '')
}

/** The objects of a text with one on each line. */
export function parseLines(text) {
  return lines(text).map((line) => JSON.parse(line))
}

/** How many tests passed and failed, as the common runners say it; nothing when it is not to be seen. */
export function countTests({ stdout, stderr }) {
  const text = `${stdout}\n${stderr}`
  const passed = /(\d+) (?:passing|passed|honored)|^# pass +(\d+)|^\S* ?pass (\d+)$/m.exec(text)
  const failed = /(\d+) (?:failing|failed|broken)|^# fail +(\d+)|^\S* ?fail (\d+)$/m.exec(text)
  const total = /^total \.+ (\d+)\/(\d+)$/m.exec(text)
  if (total !== null) return `(${total[1]} of ${total[2]} passed)`
  if (passed === null) return ''
  const count = (match) => match?.slice(1).find((group) => group !== undefined) ?? '0'
  return `(${count(passed)} passed, ${count(failed)} failed)`
}

async function failedChecks(shell, checks) {
  return JSON.parse((await shell(`npm run --silent build && node '${checks}'`)).stdout).failed
}

/** Issues that are neither closed nor set aside with a comment that says why; the comments of those that are. */
async function readOpen(issues, shell) {
  const [unreported, reported] = [[], []]
  for (const { id, title, status } of issues.filter((issue) => issue.status !== 'closed')) {
    const { comments } = JSON.parse((await shell(`tissue show ${id} --json`)).stdout)
    if (status !== 'paused' || comments.length === 0) unreported.push(id)
    else reported.push({ id, title, reason: shortReason(comments.at(-1).body) })
  }
  return { unreported, reported }
}

/** What the fixer said, else the first sentence of the comment. */
function shortReason(comment) {
  const [first] = lines(comment)
  return /\bdeepscan: .*/.exec(comment)?.[0] ?? first
}

/** Equal findings of one place take each other's number once one is gone, so they are counted and not named. */
function countAlike(findings) {
  const counts = new Map()
  for (const { rule, path, quote } of findings) {
    const key = JSON.stringify([rule, path, quote])
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** What closed issues were about and a new scan still finds. */
function findStillThere(findings, closed, after) {
  const closedIds = new Set(closed.map(({ finding }) => finding?.id))
  const [were, are] = [countAlike(findings), countAlike(after)]
  const mended = countAlike(findings.filter(({ id }) => closedIds.has(id)))
  return [...mended].filter(([key, count]) => (are.get(key) ?? 0) > (were.get(key) ?? 0) - count).map(([key]) => key)
}

/** Reads the state after the run. `faults` says, a line each, why the demo did not succeed; none when it did. */
export async function readOutcome({ shell, scan, verify, findings, before, code, checks }) {
  const issues = JSON.parse((await shell('tissue list --all --limit 10000 --json')).stdout)
  const closed = issues.filter(({ status }) => status === 'closed')
  const landed = lines((await shell('git log --format=%H --grep="^Issue: "')).stdout)
  const after = parseLines((await shell(scan)).stdout)
  const stillThere = findStillThere(findings, closed, after)
  const { unreported, reported } = await readOpen(issues, shell)
  const tests = await shell(verify)
  const failing = checks ? await failedChecks(shell, checks) : []
  const trees = lines((await shell('git worktree list --porcelain')).stdout)
  const worktrees = trees.filter((line) => line.startsWith('worktree ')).length - 1
  const branches = lines((await shell('git branch --list "loop/*"')).stdout).length
  const faults = [
    !ordinaryEnds.includes(code) && `the pipeline ended with exit code ${code}`,
    issues.length < findings.length && `${findings.length} findings made only ${issues.length} issues`,
    unreported.length > 0 && `${unreported.length} issues are neither closed nor reported: ${unreported.join(' ')}`,
    stillThere.length > 0 && `findings of closed issues are still there: ${stillThere.join(' ')}`,
    tests.code !== 0 && `\`${verify}\` fails now:\n${tests.stdout}${tests.stderr}`,
    failing.length > 0 && `defects still there: ${failing.join('; ')}`,
    worktrees > 0 && `${worktrees} worktrees were left`,
    branches > 0 && `${branches} branches were left`,
  ].filter((fault) => fault)
  const counts = { found: findings.length, left: after.length, tests: [countTests(before), countTests(tests)] }
  return { faults, issues, closed, landed, reported, verify, isPassing: tests.code === 0, checks, failing, ...counts }
}

/** The summary, for people. */
export function renderSummary(outcome) {
  const { faults, issues, closed, landed, reported, found, left, verify, tests, isPassing } = outcome
  const done = closed.length - landed.length
  return [
    `  findings   ${found} before, ${left} after`,
    `  issues     ${issues.length}: ${closed.length} closed (${landed.length} by a landing, ${done} found done already), ${reported.length} reported and set aside`,
    ...reported.map(({ id, title, reason }) => `             ${id}  ${title}: ${reason}`.slice(0, 200)),
    `  commits    ${landed.length} on the base branch, each verified after its rebase`,
    `  tests      ${verify}: pass ${tests[0]} before, ${isPassing ? 'pass' : 'FAIL'} ${tests[1]} after`.replace(
      / {2,}(?=before|after)/,
      ' ',
    ),
    outcome.checks &&
      outcome.failing.length === 0 &&
      '  defects    every planted one that has a rewrite is gone, by checks that failed before',
    `  time       ${outcome.seconds.toFixed(1)} s from scan to last landing`,
    `  look       cd ${outcome.repository}; PATH=${outcome.bin}:$PATH; git log --oneline; tissue list --all; jwz topic list`,
    ...faults.map((fault) => `  FAULT      ${fault}`),
  ]
    .filter((line) => line)
    .join('\n')
}
