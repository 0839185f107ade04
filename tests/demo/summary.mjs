// What the demo came to: read from the tracker, from git and from a new scan, never from what the tools printed on the way.

function lines(text) {
  return text.split('\n').filter((line) => line !== '')
}

function failedChecks(shell, checks) {
  return JSON.parse(shell(`npm run --silent build && node '${checks}'`).stdout).failed
}

/** Issues that are neither closed nor set aside with a comment that says why. */
function unreported(issues, shell) {
  return issues.filter(({ id, status }) => {
    if (status === 'closed') return false
    const { comments } = JSON.parse(shell(`tissue show ${id} --json`).stdout)
    return status !== 'paused' || comments.length === 0
  })
}

/** Reads the state after the run. `faults` says, a line each, why the demo did not succeed; none when it did. */
export function readOutcome({ shell, scan, verify, findings, checks }) {
  const issues = JSON.parse(shell('tissue list --all --limit 10000 --json').stdout)
  const closed = issues.filter(({ status }) => status === 'closed')
  const landed = lines(shell('git log --format=%H --grep="^Issue: "').stdout)
  const left = new Set(lines(shell(scan).stdout).map((line) => JSON.parse(line).id))
  const closedFindings = closed.flatMap(({ finding }) => finding?.id ?? [])
  const stillFound = closedFindings.filter((id) => left.has(id))
  const openEnds = unreported(issues, shell)
  const tests = shell(verify)
  const failing = checks ? failedChecks(shell, checks) : []
  const worktrees =
    lines(shell('git worktree list --porcelain').stdout).filter((line) => line.startsWith('worktree ')).length - 1
  const branches = lines(shell('git branch --list "loop/*"').stdout).length
  const faults = [
    findings.length > 0 &&
      issues.length < findings.length &&
      `${findings.length} findings made only ${issues.length} issues`,
    openEnds.length > 0 &&
      `${openEnds.length} issues are neither closed nor reported: ${openEnds.map(({ id }) => id).join(' ')}`,
    stillFound.length > 0 && `${stillFound.length} findings of closed issues are still there: ${stillFound.join(' ')}`,
    tests.status !== 0 && `\`${verify}\` fails now:\n${tests.stdout}${tests.stderr}`,
    failing.length > 0 && `defects still there: ${failing.join('; ')}`,
    worktrees > 0 && `${worktrees} worktrees were left`,
    branches > 0 && `${branches} branches were left`,
  ].filter((fault) => fault)
  return { faults, issues, closed, landed, findings, left: left.size, checked: checks !== undefined }
}

/** The summary, for people. */
export function renderSummary({ faults, issues, closed, landed, findings, left, checked, repository, seconds }) {
  const reported = issues.length - closed.length
  return [
    `  findings   ${findings.length} before, ${left} after`,
    `  issues     ${issues.length}: ${closed.length} closed (${landed.length} by a landing, ${closed.length - landed.length} found done already), ${reported} reported and set aside`,
    `  commits    ${landed.length} on the base branch, each verified after its rebase`,
    checked && '  defects    every planted one that has a rewrite is gone, by checks that failed before',
    `  time       ${seconds.toFixed(1)} s`,
    `  look       cd ${repository} && git log --oneline; tissue list --all; jwz topic list`,
    ...faults.map((fault) => `  FAULT      ${fault}`),
  ]
    .filter((line) => line)
    .join('\n')
}
