// Clones of a repository that has issues, each with an agent and a clock of its own, and real git between them.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder } from '@switchyard/testkit'
import { expect } from 'vitest'

let skew: string | undefined

/** A module by which a process of Node takes it to be as much later as SKEW_MS says. */
function skewedClock(): string {
  if (skew === undefined || !existsSync(skew)) {
    skew = join(tempFolder('skew'), 'skew.cjs')
    writeFileSync(skew, 'const now = Date.now; Date.now = () => now() + Number(process.env.SKEW_MS)\n')
  }
  return skew
}

/** A working tree, who works in it, and how far the clock there is ahead. */
export type Clone = { readonly root: string; readonly name: string; readonly skewMs: number }

/** Runs tissue in a clone. */
export function tissue({ root, name, skewMs }: Clone, args: readonly string[]) {
  const env = { JWZ_AGENT: name, NODE_OPTIONS: `--require=${skewedClock()}`, SKEW_MS: String(skewMs) }
  const { code, stdout, stderr } = run('tissue', args, { cwd: root, env })
  return { code, stdout: stdout.trim(), stderr }
}

/** The log of the store in a folder. */
export function logOf(root: string): string {
  return join(root, '.tissue/issues.jsonl')
}

/** All that can be seen of a store. */
export function seen(root: string) {
  const reader = { root, name: 'reader', skewMs: 0 }
  const [issues, conflicts] = [
    tissue(reader, ['list', '--all', '--json', '--limit', '100000']),
    tissue(reader, ['list', '--conflicts', '--json', '--limit', '100000']),
  ].map(({ stdout }) => JSON.parse(stdout))
  // Short forms depend on what else there is, and are all that does.
  return { issues: JSON.stringify(issues), conflicts }
}

/** Ids of all lines of a log. */
export function eventsIn(root: string): string[] {
  const lines = readFileSync(logOf(root), 'utf8').split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line).id)
}

/** A clone of `origin` for an agent. */
export function cloneOf(origin: string, name: string, skewMs = 0): Clone {
  const root = join(tempFolder(name), 'clone')
  git(origin, 'clone', '--quiet', origin, root)
  git(root, 'config', 'user.name', name)
  git(root, 'config', 'user.email', `${name}@example.invalid`)
  return { root, name, skewMs }
}

/** Commits what the store has. */
export function commitIssues(root: string): void {
  git(root, 'add', '.tissue')
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'Issues')
}

/** A copy of one clone that has taken in the other by this git command; `mend` is what its user does about conflicts. */
export function integrated(
  mine: Clone,
  theirs: Clone,
  how: 'merge' | 'rebase' | 'cherry-pick',
  mend?: (root: string) => void,
) {
  const root = join(tempFolder('copy'), 'clone')
  cpSync(mine.root, root, { recursive: true })
  git(root, 'fetch', '--quiet', theirs.root, 'HEAD')
  const args = how === 'merge' ? ['merge', '--no-edit'] : [how]
  if (!mend) {
    git(root, ...args, 'FETCH_HEAD')
    return root
  }
  expect(() => git(root, ...args, 'FETCH_HEAD')).toThrow()
  mend(root)
  git(root, 'add', '.tissue')
  git(root, '-c', 'core.editor=true', how, '--continue')
  return root
}

/** A log has these lines, no markers, and nothing corrupt. */
export function expectSound(root: string, events: ReadonlySet<string>): void {
  expect(new Set(eventsIn(root))).toEqual(events)
  expect(readFileSync(logOf(root), 'utf8')).not.toMatch(/^[<=>|]{7}/m)
  expect(run('tissue', ['doctor', '--log'], { cwd: root }).code).toBe(0)
}
