import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cleanEnv, git, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('demo/run.mjs', import.meta.url))
const defect = 'function f(x) {\n  return x === NaN\n}\n'

function demo(folder: string, ...args: string[]) {
  const env = cleanEnv({ TMPDIR: folder })
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** The clone that a demo made below its TMPDIR. */
function cloneIn(folder: string): string {
  const made = join(folder, readdirSync(folder).find((name) => name.startsWith('switchyard-demo-')) ?? '')
  return join(made, readdirSync(made).find((name) => name !== 'bin' && name !== 'results.jsonl') ?? '')
}

function filesOf(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return `${path} ${readFileSync(path, 'hex')}`
    })
    .sort()
}

/** Commands of the processes that work below a folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    const { stdout } = spawnSync('readlink', [`/proc/${pid}/cwd`], { encoding: 'utf8' })
    return stdout.startsWith(folder)
  })
}

describe('npm run demo -- PATH', () => {
  it('lands the fixes in a clone, and leaves the repository as it was', () => {
    const [folder, given] = [tempFolder(), tempRepo({ 'src/a.js': defect, 'test.sh': 'grep -q function src/a.js' })]
    writeFileSync(join(given, 'src/b.js'), defect)
    git(given, 'checkout', '--quiet', '--detach')
    const before = filesOf(given)
    const { status, stdout } = demo(folder, given, '--verify', 'sh test.sh')
    expect({ status, stdout }).toMatchObject({ status: 0 })
    expect(filesOf(given)).toEqual(before)
    const clone = cloneIn(folder)
    expect(readFileSync(join(clone, 'src/a.js'), 'utf8')).toBe('function f(x) {\n  return Number.isNaN(x)\n}\n')
    expect(git(clone, 'log', '--format=%(trailers:key=Issue,valueonly)').split('\n').filter(Boolean)).toHaveLength(1)
    expect(git(clone, 'remote')).toBe('')
  })

  it('copies a plain folder, its links as they are', () => {
    const [folder, given] = [tempFolder(), tempFolder()]
    writeFileSync(join(given, 'a.js'), defect)
    symlinkSync('a.js', join(given, 'link.js'))
    expect(demo(folder, given, '--verify', 'true').status).toBe(0)
    expect(readlinkSync(join(cloneIn(folder), 'link.js'))).toBe('a.js')
    expect(readFileSync(join(given, 'a.js'), 'utf8')).toBe(defect)
  })

  it('has nothing to do where nothing is found', () => {
    const { status, stdout } = demo(tempFolder(), tempRepo({ 'a.js': 'f()\n' }), '--verify', 'true')
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('nothing to do') })
  })

  it('ends with 1 when the tests fail before', () => {
    const { status, stderr } = demo(tempFolder(), tempRepo({ 'a.js': defect }), '--verify', 'echo no; exit 7')
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'no\n\ndemo: `echo no; exit 7` fails (exit 7) before anything was changed\n',
    })
  })

  it('ends with 2 for what is no folder, has no commit, no tests, or too many paths', () => {
    const empty = tempFolder()
    git(empty, 'init', '--quiet')
    const untested = tempRepo({ 'a.js': defect })
    for (const args of [['/nowhere'], [program], [empty], [untested], ['a', 'b'], ['--bogus']]) {
      const { status, stderr } = demo(tempFolder(), ...args)
      expect([args, status, stderr]).toEqual([args, 2, expect.stringMatching(/^demo: .*\n$/)])
    }
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('leaves no process behind on %s', async (signal, code) => {
    const [folder, given] = [tempFolder(), tempRepo({ 'a.js': defect })]
    const verify = 'case $PWD in */before) ;; *) touch "$TMPDIR/working"; sleep 600 ;; esac'
    const child = spawn(process.execPath, [program, given, '--verify', verify], {
      env: cleanEnv({ TMPDIR: folder }),
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.on('close', resolve))
    while (!readdirSync(folder).includes('working')) {
      expect(child.exitCode).toBe(null)
      await sleep(50)
    }
    child.kill(signal)
    expect(await ended).toBe(code)
    expect(processesIn(folder)).toEqual([])
  })
})
