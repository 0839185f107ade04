import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultEnv, git, run, start, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'

const nan = 'if (x === NaN) f()\n'
const mended = 'if (Number.isNaN(x)) f()\n'

function findingIn(root: string): string {
  return run('deepscan', ['run', '--jsonl', '.'], { cwd: root }).stdout.split('\n')[0] ?? ''
}

function fix(cwd: string, input: string, env: Record<string, string> = {}) {
  const { code, signal, stdout, stderr } = run('deepscan', ['fix'], { cwd, input, env })
  return { code, signal, stdout, stderr }
}

function namesIn(root: string) {
  return readdirSync(root).filter((name) => name !== '.git')
}

test('a fix that is killed before the rename leaves the file as it was, and the next fix takes its draft away', () => {
  const root = tempRepo({ 'a.ts': nan })
  const finding = findingIn(root)
  const killed = fix(root, finding, faultEnv({ call: 'renameSync', nth: 1, action: 'kill', match: 'a.ts' }))
  expect(killed.signal).toBe('SIGKILL')
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(nan)
  expect(namesIn(root)).toEqual([expect.stringMatching(/^\.a\.ts\.\d+\.deepscan\.tmp$/), 'a.ts'])
  expect(run('deepscan', ['run', '-q', '.'], { cwd: root }).stdout.trim().split('\n')).toHaveLength(1)
  expect(fix(root, finding).code).toBe(0)
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(mended)
  expect(namesIn(root)).toEqual(['a.ts'])
})

test('a fix leaves the draft of one that still runs, and files that only look like drafts', () => {
  const root = tempRepo({ 'a.ts': nan })
  const finding = findingIn(root)
  const others = [`.a.ts.${process.pid}.deepscan.tmp`, '.a.ts.x.deepscan.tmp', '.b.ts.1.deepscan.tmp']
  for (const name of others) writeFileSync(join(root, name), '')
  expect(fix(root, finding).code).toBe(0)
  expect(namesIn(root).sort()).toEqual([...others, 'a.ts'].sort())
})

test('a fix never overwrites what somebody else wrote meanwhile', async () => {
  const root = tempRepo({ 'a.ts': nan })
  const env = faultEnv({ call: 'fsyncSync', nth: 1, action: 'stop' })
  const running = start('deepscan', ['fix'], { cwd: root, input: findingIn(root), env })
  while (!namesIn(root).some((name) => name.endsWith('.tmp'))) await sleep(10)
  writeFileSync(join(root, 'a.ts'), `${nan}// newer\n`)
  const waking = setInterval(() => running.child.kill('SIGCONT'), 50)
  const { code, stdout, stderr } = await running.done
  clearInterval(waking)
  expect({ code, stdout, stderr }).toEqual({
    code: 5,
    stdout: '',
    stderr: 'deepscan: a.ts was changed while it was being mended; nothing was written; try again\n',
  })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(`${nan}// newer\n`)
  expect(namesIn(root)).toEqual(['a.ts'])
})

test('a fix leaves a read-only file alone', () => {
  const root = tempRepo({ 'a.ts': nan })
  const finding = findingIn(root)
  chmodSync(join(root, 'a.ts'), 0o444)
  expect(fix(root, finding)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'deepscan: a.ts is read-only; make it writable, or mend it by hand\n',
  })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(nan)
  expect(statSync(join(root, 'a.ts')).mode & 0o777).toBe(0o444)
})

test.each(['EACCES', 'ENOSPC', 'EIO'] as const)('a fix that cannot write (%s) says so in a line', (action) => {
  const root = tempRepo({ 'a.ts': nan })
  const call = action === 'EACCES' ? 'openSync' : 'writeSync'
  const result = fix(root, findingIn(root), faultEnv({ call, nth: 1, action, match: '.deepscan.tmp' }))
  expect(result).toMatchObject({
    code: 8,
    stdout: '',
    stderr: expect.stringMatching(/^deepscan: a\.ts cannot be written \(.*\n$/),
  })
  expect(result.stderr.split('\n')).toHaveLength(2)
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(nan)
  expect(namesIn(root)).toEqual(['a.ts'])
})

test('a draft is never written through a link that waits under its name', () => {
  const [root, outside] = [tempRepo({ 'a.ts': nan }), join(tempFolder(), 'precious')]
  writeFileSync(outside, 'precious')
  const finding = findingIn(root)
  for (const pid of [1, 999_999_999]) symlinkSync(outside, join(root, `.a.ts.${pid}.deepscan.tmp`))
  expect(fix(root, finding).code).toBe(0)
  expect(readFileSync(outside, 'utf8')).toBe('precious')
})

test('a prompt counts by its last issue: findings that are pasted above it are text', () => {
  const root = tempRepo({ 'a.ts': nan })
  const pasted = findingIn(root)
  const issue = JSON.stringify({ id: 'x-1', title: 'Write a poem', body: pasted, status: 'open' })
  const prompt = `# Write a poem\n\n${pasted}\n{"finding":${pasted}}\n\nThe issue as JSON:\n${issue}\n`
  expect(fix(root, prompt)).toMatchObject({ code: 2, stdout: '' })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(nan)
})

test('a fix in a submodule writes in it, and one above it does not', () => {
  const [root, inner] = [tempRepo({ 'b.ts': '' }), tempRepo({ 'a.ts': nan })]
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub')
  const finding = findingIn(join(root, 'sub'))
  expect(JSON.parse(finding).path).toBe('a.ts')
  expect(fix(root, finding).code).toBe(3)
  expect(fix(join(root, 'sub'), finding).code).toBe(0)
  expect(readFileSync(join(root, 'sub/a.ts'), 'utf8')).toBe(mended)
})

test('run refuses an empty path and suggests the rule that was meant', () => {
  const root = tempRepo({ 'a.ts': nan })
  mkdirSync(join(root, 'src'))
  expect(run('deepscan', ['run', ''], { cwd: root })).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      'deepscan: "" cannot be scanned: expected a file or a folder, got an empty path; leave it out to scan the working folder [DS-001]\n',
  })
  expect(run('deepscan', ['run', '--rule', 'js/nan-comparsion'], { cwd: root })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'deepscan: expected the id of a rule, got js/nan-comparsion; did you mean js/nan-comparison?\n',
  })
  expect(existsSync(join(root, 'src'))).toBe(true)
})
