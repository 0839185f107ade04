import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, git, itWith, run, stopped, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'
import { startSealer } from './sealer.ts'

type Finding = { check: string; state: string; detail: string; advice: string | null }

const env = { JWZ_AGENT: 'ann' }

/** What the doctor says of a folder, without what is fine. */
function examine(cwd: string, ...flags: string[]): { code: number | null; findings: Finding[] } {
  const { code, stdout, stderr } = run('jwz', ['doctor', '--json', ...flags], { cwd, env })
  expect(stderr).toBe('')
  return { code, findings: JSON.parse(stdout).filter(({ state }: Finding) => state !== 'ok') }
}

describe('jwz doctor', () => {
  it('finds nothing wrong with a bus, and says what it looked at', () => {
    const { cwd, jwz, post } = freshBus()
    expect(jwz(['doctor'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^ok {4}store: .*not made yet/),
    })
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
    post('t', 'x')
    expect(examine(cwd)).toEqual({ code: 0, findings: [] })
    expect(jwz(['doctor', '--quiet']).stdout).toBe('store\ndisk\ngit\nlogs\nleftovers\nname\n')
    expect(jwz(['doctor']).stdout).toContain('ok    name: you are ann, as JWZ_AGENT says\n')
    expect(jwz(['schema']).stdout.split('\n')).toEqual(expect.arrayContaining(['message', 'finding', 'primer']))
  })

  it('names damaged lines and conflict markers, touches none, and exits 1', () => {
    const { cwd, post, file } = freshBus()
    post('t', 'x')
    writeFileSync(file('t'), `${readFileSync(file('t'), 'utf8')}<<<<<<< HEAD\nnonsense{"v":1}\n`)
    const before = readFileSync(file('t'))
    const { code, findings } = examine(cwd, '--fix')
    expect(code).toBe(1)
    expect(findings.map(({ state, detail }) => [state, detail.replace(/^.*t\.jsonl:/, '')])).toEqual([
      ['bad', '2: a conflict marker of version control'],
      ['bad', expect.stringMatching(/^3: /)],
    ])
    expect(readFileSync(file('t')).equals(before)).toBe(true)
  })

  it('counts a line that a kill cut off as harmless', () => {
    const { cwd, jwz, post, file } = freshBus()
    post('t', 'x')
    writeFileSync(file('t'), '{"v":1,"id":"half', { flag: 'a' })
    expect(examine(cwd)).toEqual({ code: 0, findings: [] })
    expect(jwz(['doctor']).stdout).toContain('1 topic, every line whole; 1 cut off by a kill, which is harmless')
  })

  it('misses the body of a message', () => {
    const { cwd, post } = freshBus()
    const id = post('t', 'x'.repeat(40_000))
    rmSync(join(cwd, '.jwz/blobs'), { recursive: true })
    const { code, findings } = examine(cwd)
    expect([code, findings.map(({ check, state }) => [check, state])]).toEqual([1, [['files', 'bad']]])
    expect(findings[0]?.detail).toContain(id)
  })

  it('mends the .gitignore and removes drafts of killed processes, but not those of living ones', () => {
    const { cwd, post } = freshBus()
    post('t', 'x'.repeat(40_000))
    rmSync(join(cwd, '.jwz/.gitignore'))
    const [old, young] = ['old', 'young'].map((name) => join(cwd, '.jwz/blobs', `${name}.draft`))
    for (const path of [old, young]) writeFileSync(path ?? '', 'half')
    utimesSync(old ?? '', new Date(0), new Date(0))
    const found = (state: string) => [
      ['git', state],
      ['drafts', state],
    ]
    const states = ({ findings }: { findings: Finding[] }) => findings.map(({ check, state }) => [check, state])
    expect(states(examine(cwd))).toEqual(found('warn'))
    expect(states(examine(cwd, '--fix'))).toEqual(found('fixed'))
    expect(states(examine(cwd))).toEqual([])
    expect([old, young].map((path) => existsSync(path ?? ''))).toEqual([false, true])
    expect(readFileSync(join(cwd, '.jwz/.gitignore'), 'utf8')).toBe('*\n')
  })

  it('names who holds a lock, and takes over that of a killed process', async () => {
    const { cwd, post, file } = freshBus()
    post('t', 'x')
    // Stopped inside: its first rename signs the lock, its second would seal.
    const child = startSealer(file('t'), faultEnv({ call: 'renameSync', nth: 2, action: 'stop', match: 't.jsonl' }))
    await stopped(child.pid)
    const [held] = examine(cwd).findings
    expect(held).toMatchObject({ check: 'lock', state: 'warn', detail: expect.stringContaining(String(child.pid)) })
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(examine(cwd).findings).toMatchObject([{ check: 'lock', state: 'warn', advice: 'jwz doctor --fix mends it' }])
    expect(examine(cwd, '--fix').findings).toMatchObject([{ check: 'lock', state: 'fixed' }])
    expect(existsSync(`${file('t')}.lock`)).toBe(false)
    expect(examine(cwd)).toEqual({ code: 0, findings: [] })
  })

  it('finishes a compaction that was killed half-way', () => {
    const { cwd, jwz, post, file } = freshBus()
    post('t', 'x')
    const env = faultEnv({ call: 'copyFileSync', nth: 1, action: 'kill', match: 't.01' })
    expect(jwz(['compact', '--older-than', '0s', '--archive', 'old'], { env }).code).toBe(null)
    const states = () => examine(cwd).findings.map(({ check, state }) => [check, state])
    expect(states()).toEqual([
      ['lock', 'warn'],
      ['drop', 'warn'],
    ])
    expect(examine(cwd, '--fix').code).toBe(0)
    expect([states(), existsSync(`${file('t')}.leaving`)]).toEqual([[], false])
    expect(jwz(['read', 't']).stdout).toContain('x')
  })

  it('says that git tracks topics', () => {
    const { cwd, post } = freshBus()
    post('t', 'x')
    git(cwd, 'add', '--force', '.jwz/topics')
    expect(examine(cwd)).toMatchObject({ code: 1, findings: [{ check: 'git', state: 'bad' }] })
  })

  it('tells of a second store around the current folder', () => {
    const { cwd, post } = freshBus()
    post('t', 'x')
    mkdirSync(join(cwd, 'sub/.jwz/topics'), { recursive: true })
    const { code, findings } = examine(join(cwd, 'sub'))
    expect(code).toBe(0)
    expect(findings).toMatchObject([{ check: 'other store', state: 'warn' }])
    expect(examine(cwd).findings).toEqual([])
  })

  it('tells of a message from the future', () => {
    const { cwd, post, file } = freshBus()
    post('t', 'x')
    const at = Date.now() + 2 * 3_600_000
    const record = { v: 1, id: 'later', at, topic: 't', from: 'eve', body: 'x' }
    writeFileSync(file('t'), `${JSON.stringify(record)}\n`, { flag: 'a' })
    const { code, findings } = examine(cwd)
    expect([code, findings.map(({ check, state }) => [check, state])]).toEqual([0, [['clock', 'warn']]])
  })

  itWith('permissions that stop this user', 'says that a store may not be written', () => {
    const cwd = tempRepo()
    run('jwz', ['post', 't', '-m', 'x'], { cwd, env })
    for (const folder of ['.jwz', '.jwz/topics', '.']) chmodSync(join(cwd, folder), 0o755)
    chmodSync(join(cwd, '.jwz/topics'), 0o555)
    const { code, stdout } = run('jwz', ['doctor', '--json'], { cwd, env, unprivileged: true })
    chmodSync(join(cwd, '.jwz/topics'), 0o755)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)[0]).toMatchObject({ check: 'store', state: 'bad' })
  })

  it('names damaged lines in the log of leases, and what lies in its place', () => {
    const { cwd, jwz } = freshBus()
    jwz(['lease', 'acquire', 'deploy'])
    const log = join(cwd, '.jwz/leases.jsonl')
    writeFileSync(log, 'nonsense{"v":1}\n', { flag: 'a' })
    expect(examine(cwd)).toMatchObject({ code: 1, findings: [{ check: 'leases', detail: `${log}:2: not JSON` }] })
    rmSync(log)
    mkdirSync(log)
    expect(examine(cwd)).toMatchObject({ code: 1, findings: [{ check: 'leases', state: 'bad' }] })
  })

  itWith('permissions that stop this user', 'goes on where it may not read or mend', () => {
    const { cwd, post, file } = freshBus()
    post('t', 'x')
    post('other', 'x')
    rmSync(join(cwd, '.jwz/.gitignore'))
    for (const folder of ['.jwz', '.jwz/topics', '.']) chmodSync(join(cwd, folder), 0o755)
    chmodSync(join(cwd, '.jwz'), 0o555)
    chmodSync(file('t'), 0)
    const { code, stdout, stderr } = run('jwz', ['doctor', '--fix', '--json'], { cwd, env, unprivileged: true })
    chmodSync(join(cwd, '.jwz'), 0o755)
    expect([code, stderr]).toEqual([1, ''])
    const found: Finding[] = JSON.parse(stdout)
    const details = found.filter(({ state }) => state === 'bad').map(({ detail }) => detail)
    expect(details).toContain(`${join(cwd, '.jwz/.gitignore')} was to be written, the disk answered EACCES`)
    expect(details).toContain(`${file('t')} was to be read, the disk answered EACCES`)
  })

  it('says that NODE_EXTRA_CA_CERTS slows every start', () => {
    const { cwd } = freshBus()
    const { stdout } = run('jwz', ['doctor'], { cwd, env: { ...env, NODE_EXTRA_CA_CERTS: '/dev/null' } })
    expect(stdout).toContain('warn  start-up: NODE_EXTRA_CA_CERTS')
  })
})
