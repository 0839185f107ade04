import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempRepo, trust } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { verification } from '../src/land/verification-schema.ts'
import { place, write } from './place.ts'

const verify = (root: string, ...args: string[]) => run('loop', ['verify', ...args], { cwd: root })
const json = (root: string, ...args: string[]) => verification.parse(JSON.parse(verify(root, ...args, '--json').stdout))

/** Counts its own runs outside of the repository. */
function counting(exit = 0) {
  const at = place({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n', '.gitignore': 'built\n' })
  const log = join(at.agents, 'runs')
  writeFileSync(log, '')
  const runs = () => readFileSync(log, 'utf8').length
  return { at, runs, command: `printf x >> ${log}; echo looked; exit ${exit}` }
}

it('runs once on the same files, whatever commit has them, and again when asked', () => {
  const { at, runs, command } = counting()
  const first = verify(at.root, '--verify', command)
  const tree = git(at.root, 'rev-parse', 'HEAD^{tree}')
  expect(first).toMatchObject({ code: 0, stdout: `passed  ${tree.slice(0, 10)}  ${command}\n`, stderr: 'looked\n' })
  git(at.root, 'commit', '-q', '--amend', '-m', 'Reworded')
  expect(verify(join(at.root, 'sub'), '--verify', command)).toMatchObject({
    code: 0,
    stdout: `passed  ${tree.slice(0, 10)}  ${command}  as before\n`,
    stderr: '',
  })
  expect(runs()).toBe(1)
  expect(json(at.root, '--verify', command)).toMatchObject({ tree, passed: true, reused: true })
  expect(json(at.root, '--verify', command, '--again')).toMatchObject({ tree, passed: true, reused: false })
  expect(runs()).toBe(2)
  expect(verify(at.root, '--verify', command, '--quiet').stdout).toBe(`${tree}\n`)
  const kept = readdirSync(join(at.root, '.git', 'loop', 'verified'))
  expect(kept).toEqual([expect.stringMatching(new RegExp(`^${tree}-[0-9a-f]{8}\\.json$`))])
})

it('keeps no failure, and says its exit code', () => {
  const { at, runs, command } = counting(4)
  expect(verify(at.root, '--verify', command).code).toBe(1)
  expect(json(at.root, '--verify', command)).toMatchObject({ passed: false, exit_code: 4, reused: false })
  expect(runs()).toBe(2)
  const slow = verify(at.root, '--verify', 'sleep 60', '--timeout', '100ms')
  expect([slow.code, slow.stdout]).toEqual([124, expect.stringContaining('took too long')])
})

it('takes the lines of the settings, all of which must pass', () => {
  const root = tempRepo({ 'loop.json': '{"verify": ["true # one", "exit 0", "false"]}' })
  trust(root)
  expect(verify(root)).toMatchObject({ code: 1, stderr: '' })
  write(root, 'loop.json', '{"verify": ["true # one", "exit 0", "true"]}')
  trust(root)
  git(root, 'commit', '-qam', 'better')
  expect(verify(root).code).toBe(0)
})

it('wants a command, a repository, and all of it committed', () => {
  const { at, runs, command } = counting()
  expect(verify(at.root)).toMatchObject({
    code: 2,
    stderr: 'loop: expected a verify command, got none; give --verify CMD, or set verify in loop.json\n',
  })
  expect(verify(at.agents, '--verify', 'true')).toMatchObject({ code: 2, stdout: '' })
  write(at.root, 'a.txt', 'changed\n')
  write(at.root, 'new file', 'n\n')
  write(at.root, 'built', 'ignored\n')
  at.issue('a store is no change')
  const dirty = verify(join(at.root, 'sub'), '--verify', command)
  expect([dirty.code, dirty.stdout]).toEqual([1, ''])
  expect(dirty.stderr).toMatch(/to be committed, it is not: a\.txt, new file; commit it, or have git ignore it\n$/)
  expect(runs()).toBe(0)
})

it('is what a run and its landing go by', () => {
  const { at, runs, command } = counting()
  at.issue('x')
  const agent = at.agent('x', 'echo x > x.txt')
  expect(at.loop('run', '--issues', '--with', agent, '--verify', command).code).toBe(0)
  expect(runs()).toBe(1)
  expect(json(at.root, '--verify', command)).toMatchObject({ reused: true })
  expect(runs()).toBe(1)
})

it('keeps nothing when HEAD moves while it runs', () => {
  const { at } = counting()
  const moving = verify(at.root, '--verify', 'git commit -q --allow-empty -m moved')
  expect([moving.code, moving.stdout]).toEqual([5, ''])
  expect(moving.stderr).toMatch(/^loop: expected HEAD to stay at [0-9a-f]{10} meanwhile, it has moved; run it again\n/)
})
