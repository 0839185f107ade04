import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cleanEnv, git, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { keepPass, type Pass, passFile } from '../src/land/verified.ts'
import { events, landedIds, ok, place, placeAt, results, show, write } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const done = '<loop-done>done</loop-done>'
/** It passes nowhere, and says something else each time, so that the agent is never stuck by it. */
const verify = 'echo "$$ $(date +%N | tr 0-9 a-j)"; grep -q never a.txt'

const onlyWorktree = (root: string) => {
  const folder = join(root, '.worktrees', 'loop')
  return join(folder, readdirSync(folder)[0] ?? '')
}

/** A session with a committed change that does not verify, and what is known of it. */
function working() {
  const at = place()
  const session = sessionAt(at, 's-1')
  const id = at.issue('x')
  const started = ok(session.loop('start', '--issue', id, '--verify', verify, '--max-iterations', '30', '--json'))
  const worktree = onlyWorktree(at.root)
  write(worktree, 'b.txt', 'x\n')
  git(worktree, 'add', '.')
  git(worktree, 'commit', '-qm', 'Work')
  const pass = { tree: git(worktree, 'rev-parse', 'HEAD^{tree}'), command: verify, run: JSON.parse(started.stdout).run }
  const commonDir = join(at.root, '.git')
  return { at, id, session, worktree, pass, commonDir, file: passFile(commonDir, pass) }
}

/** What a process of loop would keep, moved to where the landing looks for its own. */
function kept(commonDir: string, pass: Omit<Pass, 'at'>, to: string): void {
  keepPass({ commonDir, env: cleanEnv() }, { ...pass, at: Date.now() })
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(passFile(commonDir, pass), to)
}

it('a note that verify passed counts only as a process of the same run wrote it, for the same files, command and place', () => {
  const { at, id, session, worktree, pass, commonDir, file } = working()
  const forgeries: Record<string, () => void> = {
    'without a signature': () => writeFileSync(file, JSON.stringify({ v: 1, ...pass, at: Date.now() })),
    'with a made up one': () =>
      writeFileSync(file, JSON.stringify({ v: 1, ...pass, at: Date.now(), signature: 'f'.repeat(64) })),
    'of another tree': () => kept(commonDir, { ...pass, tree: git(at.root, 'rev-parse', 'HEAD^{tree}') }, file),
    'of another command': () => kept(commonDir, { ...pass, command: 'true' }, file),
    'of another run': () => kept(commonDir, { ...pass, run: '01hzzzzzzzzzzzzzzzzzzzzzzz' }, file),
    'of no run': () => kept(commonDir, { ...pass, run: null }, file),
    'of another repository': () => {
      const other = join(tempFolder('copy'), 'repo')
      cpSync(at.root, other, { recursive: true })
      kept(join(other, '.git'), pass, file)
    },
    'changed behind its signature': () => {
      kept(commonDir, { ...pass, tree: git(at.root, 'rev-parse', 'HEAD^{tree}') }, file)
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), tree: pass.tree }))
    },
    'signed by another key': () => {
      const env = { ...cleanEnv(), XDG_STATE_HOME: tempFolder('state') }
      keepPass({ commonDir, env }, { ...pass, at: Date.now() })
    },
    'that is too old': () => keepPass({ commonDir, env: cleanEnv() }, { ...pass, at: Date.now() - 8 * 24 * 3_600_000 }),
  }
  for (const [forgery, make] of Object.entries(forgeries)) {
    mkdirSync(dirname(file), { recursive: true })
    make()
    // Another commit with the same files: an agent that leaves everything as it was would be stuck.
    git(worktree, 'commit', '-q', '--amend', '-m', forgery)
    expect([forgery, existsSync(file)]).toEqual([forgery, true])
    expect([forgery, answered(session.stop(done)).block ?? 'let go']).toEqual([
      forgery,
      expect.stringContaining('the verify command failed'),
    ])
  }
  expect(show(at.root, id).status).not.toBe('closed')
  // What the run itself has seen does count: the forgeries above were at the right place.
  keepPass({ commonDir, env: cleanEnv() }, { ...pass, at: Date.now() })
  expect(answered(session.stop(done)).warning).toContain('is landed on main')
})

it('what a worker typed is told to it, and decides nothing', () => {
  const at = place()
  const id = at.issue('x')
  const cheat = join(at.agents, 'cheat')
  const log = join(at.agents, 'log')
  const agent = at.agent(
    'x',
    `echo x > x.txt; git add .; git commit -qm x\ntouch ${cheat}; loop verify --verify 'test -e ${cheat}' > ${log}; rm ${cheat}`,
  )
  const args = ['run', '--issues', '--with', agent, '--verify', `test -e ${cheat}`, '--max-iterations', '1', '--jsonl']
  const finished = at.loop(...args)
  expect(readFileSync(log, 'utf8')).toMatch(/^passed {2}/)
  expect([finished.code, results(finished)[id]?.outcome, landedIds(at.root)]).toEqual([9, 'gave-up', []])
})

it('what a run has seen pass is not run again when it lands as it is, and not recorded again', () => {
  const at = place()
  const id = at.issue('x')
  const count = join(at.agents, 'count')
  const agent = at.agent('x', 'echo x > x.txt')
  const args = ['run', '--issues', '--with', agent, '--verify', `echo . >> ${count}`, '--jsonl']
  expect(results(ok(at.loop(...args)))[id]).toMatchObject({ outcome: 'landed' })
  expect(readFileSync(count, 'utf8')).toBe('.\n')
  expect(events(at.root).filter(({ event }) => event === 'verified')).toEqual([
    { event: 'verified', issue: id, worker: expect.any(String), iteration: 1, passed: true, exit_code: 0 },
  ])
})

it('where this machine keeps no key, nothing is noted, and a run verifies and lands', () => {
  const nowhere = join(tempFolder('file'), 'file')
  writeFileSync(nowhere, '')
  const at = placeAt(place().root, { XDG_STATE_HOME: nowhere, TMPDIR: nowhere, HOME: nowhere })
  const id = at.issue('x')
  const args = ['run', '--issues', '--with', at.agent('x', 'echo x > x.txt'), '--verify', 'true', '--jsonl']
  expect(results(at.loop(...args))[id]).toMatchObject({ outcome: 'landed' })
  expect(existsSync(join(at.root, '.git', 'loop', 'verified'))).toBe(false)
})
