import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { git, run, script, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, recordsIn } from './fixture.ts'
import { tissue } from './tissue.ts'

type Diagnosis = { check: string; state: string; detail: string; advice: string | null }

/** What the doctor says of a folder, without what is fine. */
function examine(cwd: string, flags: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = run('tissue', ['doctor', '--json', ...flags], {
    cwd,
    env: { JWZ_AGENT: 'ada', PATH: toolPath(), ...env },
  })
  expect(stderr).toBe('')
  const all: Diagnosis[] = JSON.parse(stdout)
  return { code, found: all.filter(({ state }) => state !== 'ok') }
}

const states = ({ found }: { found: Diagnosis[] }) => found.map(({ check, state }) => [check, state])

/** A repository with one issue. */
function repo() {
  const root = tempRepo()
  expect(tissue(root, ['new', 'One']).code).toBe(0)
  return root
}

describe('tissue doctor', () => {
  it('finds nothing wrong with a store, says what it looked at, and makes none', () => {
    const root = tempRepo()
    expect(tissue(root, ['doctor'])).toMatchObject({ code: 0, stderr: '', stdout: /^ok {4}store: .*not made yet/ })
    expect(existsSync(join(root, '.tissue'))).toBe(false)
    tissue(root, ['new', 'One'])
    expect(examine(root)).toEqual({ code: 0, found: [] })
    expect(tissue(root, ['doctor', '--quiet']).stdout).toBe(
      'store\ndisk\ngit\nlog\nissues\ncache\nleftovers\nbus\nprogram\nname\n',
    )
    expect(tissue(root, ['doctor']).stdout).toContain(
      'ok    git: sees the log and merges it line by line (merge=union)\n',
    )
  })

  it('names damaged lines and conflict markers, touches none, and exits 1', () => {
    const root = repo()
    const [created] = recordsIn(root).filter(({ type }) => type === 'created')
    const other = JSON.stringify({ ...created, title: 'Other' })
    appendFileSync(logOf(root), `<<<<<<< HEAD\nnonsense{"v":1}\n${other}\n`)
    const before = readFileSync(logOf(root))
    const { code, found } = examine(root, ['--fix'])
    expect(code).toBe(1)
    expect(found.map(({ state, detail, advice }) => [state, detail.replace(/^.*?jsonl:\d+: /, ''), advice])).toEqual([
      ['bad', 'a conflict marker of version control', expect.stringContaining('editor')],
      ['bad', 'not JSON', expect.stringContaining('tissue import')],
      [
        'bad',
        expect.stringMatching(/used before with other content, at \S+issues\.jsonl:\d+$/),
        expect.stringContaining('git log'),
      ],
    ])
    expect(readFileSync(logOf(root)).equals(before)).toBe(true)
  })

  it('counts what is harmless, and warns of what it does not understand', () => {
    const root = repo()
    const [line = ''] = readFileSync(logOf(root), 'utf8').split('\n')
    appendFileSync(logOf(root), `${line}\n{"v":1,"hello":1}\n{"v":1,"id":"cut`)
    const { code, found } = examine(root)
    expect([code, found]).toMatchObject([0, [{ check: 'log', state: 'warn', detail: '1 line that are no events' }]])
    expect(tissue(root, ['doctor']).stdout).toMatch(
      /ok {4}log: \d events of 1 issue, every line whole; 1 cut off by a kill, which is harmless; 1 there twice/,
    )
  })

  it('mends what git is told, also in files that say more', () => {
    const root = repo()
    const file = (name: string) => join(root, '.tissue', name)
    rmSync(file('.gitattributes'))
    writeFileSync(file('.gitignore'), 'mine')
    const both = (state: string) => [
      ['git', state],
      ['git', state],
    ]
    expect(states(examine(root))).toEqual(both('warn'))
    expect(examine(root).found[0]?.advice).toBe('tissue doctor --fix mends it')
    expect(states(examine(root, ['--fix']))).toEqual(both('fixed'))
    expect(examine(root)).toEqual({ code: 0, found: [] })
    expect(readFileSync(file('.gitignore'), 'utf8')).toMatch(/^mine\n\*\.lock\*\n/)
    expect(readFileSync(file('.gitattributes'), 'utf8')).toBe('issues.jsonl merge=union\n')
    expect(git(root, 'check-attr', 'merge', '.tissue/issues.jsonl')).toContain('merge: union')
  })

  it.each(['.tissue', '/.tissue/', '.tissue/*', '*.jsonl', '.*', '**/.tissue', '.t[a-j]ssue'])(
    'warns of a store that git ignores by %s, as git does',
    (pattern) => {
      const root = repo()
      writeFileSync(join(root, '.gitignore'), `# ours\n${pattern}\n`)
      expect(git(root, 'check-ignore', '.tissue/issues.jsonl').trim()).toBe('.tissue/issues.jsonl')
      expect(examine(root).found).toMatchObject([{ check: 'git', state: 'warn', detail: /git ignores the store/ }])
      tissue(root, ['init', '--private'])
      expect(examine(root).found).toEqual([])
    },
  )

  it.each(['tissue', '!.tissue', '.tissue.bak', 'sub/.tissue', '*.json', '.tissue\n!.tissue'])(
    'warns of nothing when git ignores %j',
    (pattern) => {
      const root = repo()
      writeFileSync(join(root, '.gitignore'), `${pattern}\n`)
      expect(examine(root).found).toEqual([])
    },
  )

  it('warns of attributes that come before its own', () => {
    const root = repo()
    mkdirSync(join(root, '.git/info'), { recursive: true })
    writeFileSync(join(root, '.git/info/attributes'), '*.jsonl -merge\n')
    expect(git(root, 'check-attr', 'merge', '.tissue/issues.jsonl')).toContain('merge: unset')
    expect(examine(root).found).toMatchObject([{ check: 'git', state: 'warn', detail: /-merge.*info\/attributes/ }])
  })

  it('removes what a killed process left, and no draft of a living one', () => {
    const root = repo()
    const [old, young] = ['old', 'young'].map((name) => join(root, '.tissue', `${name}.draft`))
    for (const path of [old, young]) writeFileSync(path ?? '', 'half')
    utimesSync(old ?? '', new Date(0), new Date(0))
    expect(states(examine(root))).toEqual([['drafts', 'warn']])
    expect(states(examine(root, ['--fix']))).toEqual([['drafts', 'fixed']])
    expect([old, young].map((path) => existsSync(path ?? ''))).toEqual([false, true])
  })

  it('tells of writers whose clock runs ahead, and of a second store', () => {
    const root = repo()
    const [created] = recordsIn(root).filter(({ type }) => type === 'created')
    const at = Date.now() + 2 * 3_600_000
    appendFileSync(logOf(root), `${JSON.stringify({ ...created, id: '01KX00000000000000000000AA', by: 'eve', at })}\n`)
    expect(examine(root).found).toMatchObject([
      { check: 'clock', state: 'warn', detail: /^eve wrote .* 1?\d\d minutes/ },
    ])
    mkdirSync(join(root, 'sub/.tissue'), { recursive: true })
    writeFileSync(join(root, 'sub/.tissue/issues.jsonl'), '')
    expect(states(examine(join(root, 'sub')))).toContainEqual(['other store', 'warn'])
  })

  it('tells of another tissue on the PATH', () => {
    const root = repo()
    const folder = tempFolder('path')
    script(join(folder, 'tissue'), '#!/bin/sh\n')
    expect(examine(root, [], { PATH: `${folder}:${toolPath()}` }).found).toMatchObject([
      { check: 'program', state: 'warn', detail: /is another program/ },
    ])
    expect(examine(root, [], { PATH: '/nowhere' }).found).toMatchObject([{ check: 'program', advice: /npm install/ }])
  })

  it('compares the cache with the log', () => {
    const root = repo()
    // A log that is read for nothing is not worth a cache.
    const many = Array.from({ length: 3_000 }, () => 'x'.repeat(300)).join('\n')
    for (let count = 0; count < 4; count += 1) tissue(root, ['new', `Issue ${count}`, '-'], many)
    tissue(root, ['ready'])
    const cache = join(root, '.tissue/cache/open-issues')
    expect(tissue(root, ['doctor']).stdout).toContain('ok    cache: agrees with the log\n')
    const { mtime } = statSync(cache)
    const other = readFileSync(cache, 'latin1').replaceAll('"value":2,', '"value":3,')
    writeFileSync(cache, other, 'latin1')
    expect(tissue(root, ['doctor']).stdout).toContain('ok    cache: it is of another version, and will be made anew\n')
    utimesSync(cache, mtime, mtime)
    expect(examine(root)).toMatchObject({ code: 1, found: [{ check: 'cache', state: 'bad' }] })
    expect(states(examine(root, ['--fix']))).toEqual([['cache', 'fixed']])
    expect(existsSync(cache)).toBe(false)
  })

  it('tells of changes that a killed writer did not tell the bus', () => {
    const root = repo()
    expect(run('jwz', ['init'], { cwd: root }).code).toBe(0)
    tissue(root, ['new', 'Told'])
    expect(examine(root).found).toEqual([])
    const note = join(root, '.tissue/outbox/01KX0000000000000000000000')
    mkdirSync(join(root, '.tissue/outbox'), { recursive: true })
    writeFileSync(note, '[]')
    expect(examine(root).found).toEqual([])
    utimesSync(note, new Date(0), new Date(0))
    expect(examine(root).found).toMatchObject([{ check: 'bus', state: 'warn', detail: /1 write of killed/ }])
    tissue(root, ['new', 'Next'])
    expect(examine(root).found).toEqual([])
  })

  it('goes on where the log is no file', () => {
    const root = tempFolder('doctor')
    mkdirSync(join(root, '.tissue/issues.jsonl'), { recursive: true })
    const { code, found } = examine(root)
    expect(code).toBe(1)
    expect(found).toContainEqual(expect.objectContaining({ check: 'log', state: 'bad' }))
  })
})
