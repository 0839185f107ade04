import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, faultEnv, full, git, itWith, meter, run, scaled, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf } from './fixture.ts'
import { type Many, manyIssues } from './many-issues.ts'
import { tissue } from './tissue.ts'

const issues = 400
const cacheOf = (root: string) => join(root, '.tissue/cache')
const fileOf = (root: string) => join(cacheOf(root), 'open-issues')

/** What the reading verbs say, in every mode that shows different things. */
function answers({ root, open, closed }: Many) {
  return [
    ['ready'],
    ['list', '--json', '--limit', '1000'],
    ['show', open[1]?.slice(4, 12) ?? '', '--json'],
    ['show', closed],
    ['show', 'app-0'],
  ].map((args) => ({ args, ...tissue(root, args) }))
}

/** Expects the answers of a store that has no cache. */
function expectSame(many: Many) {
  const given = answers(many)
  rmSync(cacheOf(many.root), { recursive: true, force: true })
  expect(given).toEqual(answers(many))
}

function warm(many: Many): Many {
  expect(tissue(many.root, ['ready', '--quiet', '-n', '1']).code).toBe(0)
  expect(existsSync(fileOf(many.root))).toBe(true)
  return many
}

/** What may befall a cache; each is given a store with a good one. */
const mishaps: Record<string, (many: Many) => void> = {
  'nothing at all': () => undefined,
  'its folder is deleted': ({ root }) => rmSync(cacheOf(root), { recursive: true }),
  'its file is cut off': ({ root }) => truncateSync(fileOf(root), 5000),
  'its file is emptied': ({ root }) => truncateSync(fileOf(root), 0),
  'its file is overwritten with rubbish': ({ root }) => writeFileSync(fileOf(root), 'rubbish '.repeat(9000)),
  'one title in it is changed': ({ root }) => {
    const text = readFileSync(fileOf(root), 'utf8')
    writeFileSync(fileOf(root), text.replace('"value":"Issue 390"', '"value":"Error 390"'))
  },
  'a folder stands in its place': ({ root }) => {
    rmSync(fileOf(root))
    mkdirSync(fileOf(root))
  },
  'a file stands in the place of its folder': ({ root }) => {
    rmSync(cacheOf(root), { recursive: true })
    writeFileSync(cacheOf(root), '')
  },
  'it is that of another clone': ({ root }) => {
    const other = warm(manyIssues(issues + 1, 40))
    rmSync(cacheOf(root), { recursive: true })
    cpSync(cacheOf(other.root), cacheOf(root), { recursive: true, preserveTimestamps: true })
  },
  'it is several steps behind': ({ root, open }) => {
    const kept = join(tempFolder('kept'), 'open-issues')
    cpSync(fileOf(root), kept, { preserveTimestamps: true })
    for (const id of open.slice(0, 3)) expect(tissue(root, ['close', id]).code).toBe(0)
    appendFileSync(logOf(root), `${JSON.stringify(comment(open[5], 'long '.repeat(20_000)))}\n`)
    expect(tissue(root, ['ready']).code).toBe(0)
    rmSync(fileOf(root))
    cpSync(kept, fileOf(root), { preserveTimestamps: true })
  },
  'the log is replaced by one as long': ({ root }) => {
    const text = readFileSync(logOf(root), 'utf8')
    writeFileSync(join(root, 'other'), text.replace('"Issue 390"', '"Error 390"'))
    renameSync(join(root, 'other'), logOf(root))
  },
  'the log is written anew in place, as long as before': ({ root }) => {
    const text = readFileSync(logOf(root), 'utf8')
    writeFileSync(logOf(root), text.replace('"Issue 390"', '"Error 390"'))
  },
  'the log is cut off': ({ root }) => truncateSync(logOf(root), 300_000),
  'lines are appended by hand': ({ root, open }) => {
    const input = `${JSON.stringify(comment(open[1], 'by hand'))}\n`
    execFileSync('sh', ['-c', `cat >> '${logOf(root)}'`], { input })
  },
  'a line for a closed issue is appended': ({ root, closed }) => {
    appendFileSync(logOf(root), `${JSON.stringify({ ...comment(closed, ''), type: 'status', status: 'open' })}\n`)
  },
  'the log ends in a torn line': ({ root }) => appendFileSync(logOf(root), '{"v":1,"id":"01J'),
  'an older line is appended again': ({ root }) => {
    const [, second] = readFileSync(logOf(root), 'utf8').split('\n')
    appendFileSync(logOf(root), `${second}\n`)
  },
  'the log is gone': ({ root }) => rmSync(logOf(root)),
}

function comment(issue: string | undefined, body: string) {
  return { v: 1, id: `X${body.length}`, seq: 5000, at: 1_700_009_999_000, by: 'bob', type: 'commented', issue, body }
}

describe('with a cache, the answers are those of the whole log', () => {
  for (const [name, happens] of Object.entries(mishaps)) {
    it(`when ${name}`, () => {
      const many = warm(manyIssues(issues, 40))
      happens(many)
      expectSame(many)
    })
  }

  it('when git goes from one branch to another and merges them', () => {
    const many = manyIssues(issues, 40, { inGit: true })
    const { root, open } = many
    const [first = '', second = '', third = ''] = open
    const commit = (message: string) => {
      git(root, 'add', '.tissue')
      git(root, 'commit', '-qm', message)
    }
    commit('start')
    git(root, 'branch', '-M', 'one')
    git(root, 'checkout', '-qb', 'two')
    warm(many)
    tissue(root, ['close', first])
    tissue(root, ['new', 'On two', '--key', 'same'])
    commit('two')
    warm(many)
    git(root, 'checkout', '-q', 'one')
    expectSame(warm(many))
    tissue(root, ['edit', second, '--title', 'On one'])
    tissue(root, ['new', 'On one', '--key', 'same'])
    tissue(root, ['close', third])
    commit('one')
    expectSame(warm(many))
    git(root, 'merge', '-q', 'two', '-m', 'both')
    expectSame(many)
    expect(git(root, 'status', '--porcelain', '--untracked-files=all')).toBe('')
    for (const branch of ['two', 'one', 'two']) {
      git(root, 'checkout', '-q', branch)
      expectSame(warm(many))
    }
  })

  it('also to verbs that write', () => {
    const [cached, plain] = [warm(manyIssues(issues, 40)), manyIssues(issues, 40)]
    const [first = '', second = '', third = ''] = cached.open
    const calls = [
      ['close', first],
      ['close', first],
      ['claim', first],
      ['claim', second, '--quiet'],
      ['claim', second, '--as', 'bob'],
      ['status', second, 'paused'],
      ['status', cached.closed, 'open'],
      ['close', cached.closed],
      ['comment', cached.closed, '-m', 'late', '--quiet'],
      ['edit', third, '--title', 'New', '--body', 'x'],
      ['new', 'Again', '--key', 'key-1'],
      ['new', 'Again', '--key', 'key-399'],
      ['new', 'Waits', '--blocked-by', 'app-0'],
      ['release', third],
      ['show', third],
      ['dep', 'add', third, cached.open[4] ?? ''],
      ['wait', first, '--quiet', '--timeout', '10s'],
      ['wait', third, '--for', 'ready', '--quiet', '--timeout', '10s'],
      ['blocked', '--quiet'],
      ['list', '--stale', '--quiet', '--limit', '1000'],
      ['ready', '--quiet', '--limit', '1000'],
    ]
    for (const args of calls) {
      const [a, b] = [cached, plain].map(({ root }) => {
        const answer = JSON.stringify(tissue(root, args)).replaceAll(/01[0-9A-Z]{24}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
        rmSync(cacheOf(plain.root), { recursive: true, force: true })
        return answer
      })
      expect({ args, answer: a }).toEqual({ args, answer: b })
    }
    expectSame(cached)
  })
})

describe('a cache', () => {
  it('is not made for a small log, nor where nothing is, and hides itself from git', () => {
    const root = tempFolder('small')
    expect(tissue(root, ['new', 'Small']).code).toBe(0)
    expect(tissue(root, ['ready']).code).toBe(0)
    expect(existsSync(cacheOf(root))).toBe(false)
    const empty = tempFolder('empty')
    expect(tissue(empty, ['ready']).code).toBe(0)
    expect(readdirSync(empty)).toEqual([])
    const { root: large } = warm(manyIssues(issues, 40))
    expect(readdirSync(cacheOf(large)).sort()).toEqual(['.gitignore', 'open-issues'])
    expect(readFileSync(join(cacheOf(large), '.gitignore'), 'utf8')).toBe('*\n')
  })

  itWith('permissions that stop this user', 'is done without where nobody may write', () => {
    const many = manyIssues(issues, 40)
    for (const folder of [many.root, join(many.root, '.tissue')]) chmodSync(folder, 0o555)
    try {
      const reader = run('tissue', ['ready', '--quiet'], { cwd: many.root, unprivileged: true })
      expect({ code: reader.code, lines: reader.stdout.split('\n').length }).toEqual({ code: 0, lines: 41 })
      expect(existsSync(cacheOf(many.root))).toBe(false)
    } finally {
      for (const folder of [many.root, join(many.root, '.tissue')]) chmodSync(folder, 0o755)
    }
  })

  it('is done without on a full disk, and leaves nothing half', () => {
    for (const call of ['mkdirSync', 'writeFileSync', 'utimesSync', 'renameSync']) {
      const many = manyIssues(issues, 40)
      const env = faultEnv({ call, nth: 1, action: 'ENOSPC', match: 'cache' })
      const { code, stdout, stderr } = run('tissue', ['ready', '--quiet'], { cwd: many.root, env })
      expect({ call, code, stderr, lines: stdout.split('\n').length }).toEqual({ call, code: 0, stderr: '', lines: 41 })
      expect(existsSync(fileOf(many.root))).toBe(false)
      expectSame(many)
    }
  })

  it('is whole or not there when its writer is killed at any step', () => {
    const prepared = manyIssues(issues, 40)
    const trace = join(tempFolder('trace'), 'trace')
    const counting = faultEnv({ call: '*', nth: 1_000_000, action: 'kill', match: 'cache', trace })
    run('tissue', ['ready'], { cwd: prepared.root, env: counting })
    const steps = readFileSync(trace, 'utf8').trimEnd().split('\n').length
    expect(steps).toBeGreaterThan(4)
    rmSync(cacheOf(prepared.root), { recursive: true, force: true })
    for (let nth = 1; nth <= steps; nth += 1) {
      const env = faultEnv({ call: '*', nth, action: 'kill', match: 'cache' })
      const killed = run('tissue', ['ready', '--quiet'], { cwd: prepared.root, env })
      expect({ nth, signal: killed.signal }).toEqual({ nth, signal: 'SIGKILL' })
      if (full || nth === steps) expectSame(prepared)
      rmSync(fileOf(prepared.root), { force: true })
    }
    warm(prepared)
  })

  it('is no matter of taste: any number may write it at once', async () => {
    const many = manyIssues(issues, 40)
    const env = cleanEnv({ JWZ_AGENT: 'ada' })
    const script = `for i in 1 2 3 4 5 6; do ${process.execPath} ${binOf()} ready --quiet > out.$i & done; wait`
    execFileSync('bash', ['-c', script], { cwd: many.root, env })
    const outs = [1, 2, 3, 4, 5, 6].map((n) => readFileSync(join(many.root, `out.${n}`), 'utf8'))
    expect(new Set(outs).size).toBe(1)
    expect(readdirSync(cacheOf(many.root)).sort()).toEqual(['.gitignore', 'open-issues'])
    expectSame(many)
  })

  it('keeps what is read a matter of the open issues', () => {
    const read = (size: number) => {
      const { root } = warm(manyIssues(size, 40))
      const { env, taken } = meter('.tissue')
      expect(run('tissue', ['ready'], { cwd: root, env }).code).toBe(0)
      return taken().bytes
    }
    const [small, large] = [read(scaled(10_000)), read(scaled(100_000))]
    // The directory of all ids is what is left of the history: less than a byte an issue.
    expect(large - small).toBeLessThan(scaled(90_000))
    expect(large).toBeLessThan(200_000)
  })
})

function binOf(): string {
  return new URL('../bin/tissue.cjs', import.meta.url).pathname
}
