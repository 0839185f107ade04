import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Finished, git, run, type Started, script, start, tempFolder, tempRepo, trust } from '@switchyard/testkit'
import { z } from 'zod'
import { finding } from '../src/doctor/finding-schema.ts'

/** A repository with scripted agents beside it. `PATH` finds the built tools. */
export type Place = {
  root: string
  agents: string
  /** Makes an issue and returns its id. */
  issue(title: string): string
  /** Writes a scripted agent, a shell script that finds the prompt in $prompt and the issue's title in $title, and returns the command to run it. */
  agent(name: string, text: string): string
  loop(...args: string[]): Finished
  /** `loop doctor` for a person who has no agents, whose settings it would look at, and with `--fix` change. */
  doctor(...args: string[]): Finished
  start(...args: string[]): Started
}

const readTitle = `prompt=$(cat)\ntitle=$(printf '%s\\n' "$prompt" | sed -n '1s/^# //p')\n`

export function place(files: Record<string, string> = { 'a.txt': 'one\ntwo\nthree\n' }): Place {
  return placeAt(tempRepo(files))
}

export function placeAt(root: string, env: Record<string, string> = {}): Place {
  const agents = tempFolder('agents')
  if (existsSync(join(root, 'loop.json'))) trust(root, env)
  return {
    root,
    agents,
    issue: (title) => ok(run('tissue', ['new', title, '--quiet'], { cwd: root, env })).stdout.trim(),
    agent(name, text) {
      script(join(agents, name), `#!/bin/sh\n${readTitle}${text}`)
      return join(agents, name)
    },
    loop: (...args) => run('loop', args, { cwd: root, env }),
    doctor: (...args) => run('loop', ['doctor', ...args], { cwd: root, env: { ...withoutAgents(), ...env } }),
    start: (...args) => start('loop', args, { cwd: root, env }),
  }
}

/** The environment of a person whose home is empty; git's settings are as for all tests. */
export function withoutAgents() {
  return { HOME: tempFolder('home'), XDG_CONFIG_HOME: undefined, GIT_CONFIG_GLOBAL: '/dev/null' }
}

/** What crashes left, as `loop doctor` tells it: what was found of what, what is done about it, and whether it was. */
export function left({ doctor }: Pick<Place, 'doctor'>, ...flags: string[]) {
  const findings = z.array(finding).parse(JSON.parse(ok(doctor('--json', ...flags)).stdout))
  const found = findings.filter((one) => one.found !== undefined)
  return found.map(({ found, what, action, state }) => [found, what, action, state === 'fixed'])
}

export function ok(finished: Finished): Finished {
  if (finished.code !== 0) throw new Error(`exit ${finished.code}: ${finished.stderr}`)
  return finished
}

export type ShownIssue = { id: string; status: string; claim: { by: string } | null; comments: { body: string }[] }

export function show(root: string, id: string): ShownIssue {
  return JSON.parse(ok(run('tissue', ['show', id, '--json'], { cwd: root })).stdout)
}

export type Event = { event: string; issue?: string; [field: string]: unknown }

/** What the runs of a repository recorded, in the order of the log. */
export function events(root: string): Event[] {
  const folder = join(root, '.jwz', 'topics', 'loop', 'run')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).data)
}

/** Ids in the `Issue:` trailers of a branch, oldest first. */
export function landedIds(root: string, branch = 'main'): string[] {
  const text = git(root, 'log', '--reverse', '--format=%(trailers:key=Issue,valueonly)', branch)
  return text.split('\n').filter((line) => line !== '')
}

/** What stays in loop's private folder when no run is there. */
const lasting = ['verified', 'hooks', 'queue', 'log', 'sessions']

/** What loop must not leave behind: worktrees, branches, locks, folders of runs, queued landings, claims. */
export function leftovers(root: string): string[] {
  const common = git(root, 'rev-parse', '--path-format=absolute', '--git-common-dir')
  const worktrees = git(root, 'worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.includes('/.worktrees/loop/'))
  const branches = git(root, 'for-each-ref', '--format=%(refname)', 'refs/heads/loop')
    .split('\n')
    .filter((line) => line !== '')
  const locks = readdirSync(common).filter((name) => name.endsWith('.lock') || name.startsWith('loop-'))
  const runs = readdirSync(join(common, 'loop')).filter((name) => !lasting.includes(name))
  const queue = join(common, 'loop', 'queue')
  const queued = existsSync(queue) ? readdirSync(queue) : []
  const issues: ShownIssue[] = JSON.parse(ok(run('tissue', ['list', '--all', '--json'], { cwd: root })).stdout)
  const claims = issues
    .filter(({ claim, status }) => claim !== null && status !== 'closed')
    .map(({ id, claim }) => `${id} ${claim?.by}`)
  return [...worktrees, ...branches, ...locks, ...runs, ...queued, ...claims]
}

export function write(root: string, path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

export const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

/** The results that `loop run --jsonl` printed, by issue. */
export function results(
  finished: Finished,
): Record<string, { outcome: string; iterations: number; [field: string]: unknown }> {
  const lines = finished.stdout.split('\n').filter((line) => line !== '')
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map((result) => [result.issue, result]))
}

/** Whether a process is gone, or a zombie that nobody has buried yet. */
export function isGone(pid: number): boolean {
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || / [ZX] /.test(readFileSync(stat, 'utf8'))
}

/** Kills a run at its time, or when it has ended by itself. */
export async function killAt({ child }: Started, isTime: () => boolean): Promise<void> {
  while (child.exitCode === null && !isTime()) await sleep(2)
  child.kill('SIGKILL')
  // Orphans keep the pipes open; they are left alive on purpose.
  child.stdout?.destroy()
  child.stderr?.destroy()
  while (child.exitCode === null && child.signalCode === null) await sleep(2)
}
