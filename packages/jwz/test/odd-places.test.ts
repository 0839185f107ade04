// What has the place of a store or of a topic, and is none: said by every verb, on every version of Node alike.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, type Started, start, tempFolder, tempRepo } from '@switchyard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

const running: Started[] = []

afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
})

const verbs = [
  ['doctor'],
  ['doctor', '--log'],
  ['topic', 'list'],
  ['inbox'],
  ['read', 't'],
  ['where'],
  ['post', 't', '-m', 'x'],
]

/** What each verb answers in a repository whose `.jwz` is made by `make`. */
function answers(make: (path: string) => void) {
  const root = tempRepo()
  const path = join(root, '.jwz')
  make(path)
  const found = verbs.map((verb) => run('jwz', verb, { cwd: root }))
  return { root, path, found, entries: () => readdirSync(root).sort() }
}

const elsewhere = 'move that away, or name another place with --store or JWZ_STORE'

describe('what has the place of a store and is none', () => {
  it('is named by every verb, and nothing is written: a file', () => {
    const { path, found, entries } = answers((at) => writeFileSync(at, ''))
    const stderr = `jwz: expected a folder for the store at ${path}, ${path} is no folder; ${elsewhere}\n`
    for (const { code, stdout, stderr: said } of found)
      expect({ code, stdout, said }).toEqual({ code: 1, stdout: '', said: stderr })
    expect(entries()).toEqual(['.git', '.jwz', 'README.md'])
  })

  it('is named by every verb, and nothing is written: a link that leads nowhere', () => {
    const nowhere = join(tempFolder('nowhere'), 'store')
    const { root, path, found } = answers((at) => symlinkSync(nowhere, at))
    const instead = 'put what it leads to in its place, or name another store'
    const stderr = `jwz: ${path} is a link, and no store is read or written through one; ${instead}\n`
    for (const { code, stdout, stderr: said } of found)
      expect({ code, stdout, said }).toEqual({ code: 5, stdout: '', said: stderr })
    // One that somebody names may be a link, to a folder.
    for (const verb of [['where'], ['post', 't', '-m', 'x']]) {
      expect(run('jwz', [...verb, '--store', path], { cwd: root })).toMatchObject({
        ...{ code: 1, stdout: '' },
        stderr: `jwz: expected a folder for the store at ${path}, ${path} is a link that leads nowhere; ${elsewhere}\n`,
      })
    }
    expect(existsSync(nowhere)).toBe(false)
  })

  it('is named when it has the place of the topics', () => {
    const { path, found } = answers((at) => {
      mkdirSync(at)
      writeFileSync(join(at, 'topics'), '')
    })
    const line = `expected a folder at ${path}/topics, it is none; move it away`
    const [doctor, check, list] = found
    expect(doctor).toMatchObject({ code: 1 })
    expect(doctor?.stdout).toContain(`bad   store: expected a folder at ${path}/topics, it is none\n      move it away`)
    for (const verb of [check, list]) expect(verb).toMatchObject({ code: 1, stdout: '', stderr: `jwz: ${line}\n` })
  })
})

describe('what has the place of a topic and is none', () => {
  it('is no topic, and doctor and topic list say so; a post to it is refused for good', () => {
    const root = tempRepo()
    run('jwz', ['post', 'good', '-m', 'x'], { cwd: root })
    const topics = join(root, '.jwz', 'topics')
    execFileSync('mkfifo', [join(topics, 'pipe.jsonl')])
    mkdirSync(join(topics, 'folder.jsonl'))
    symlinkSync(join(topics, 'nowhere'), join(topics, 'link.jsonl'))
    const odd = [
      ['folder', 'this is a folder'],
      ['link', 'this is a link, and none is followed'],
      ['pipe', 'this is none'],
    ].map(([name, what]) => `${topics}/${name}.jsonl: a topic is a file, ${what}`)
    const check = run('jwz', ['doctor', '--log'], { cwd: root })
    expect(check.stderr.trim().split('\n').sort()).toEqual(odd)
    expect(check).toMatchObject({ code: 7, stdout: 'good: 1 record, 0 torn, 0 repeated, 0 corrupt\n' })
    const doctor = run('jwz', ['doctor'], { cwd: root })
    expect(doctor.code).toBe(1)
    for (const line of odd) expect(doctor.stdout).toContain(`bad   logs: ${line}\n`)
    expect(doctor.stdout).not.toContain('every line whole')
    const list = run('jwz', ['topic', 'list'], { cwd: root })
    expect(list.stderr.trim().split('\n').sort()).toEqual(odd)
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/^good\t/) })
    const post = run('jwz', ['post', 'pipe', '-m', 'x'], { cwd: root })
    expect(post).toMatchObject({ code: 1, stdout: '' })
    expect(post.stderr).toMatch(/^jwz: \d+ bytes were to be appended to .*\/pipe\.jsonl, it is no file\n$/)
  })

  it('hides no other topic when it is a folder that may not be read', () => {
    const root = tempRepo()
    for (const topic of ['good', 'closed:x']) run('jwz', ['post', topic, '-m', 'x'], { cwd: root })
    const closed = join(root, '.jwz', 'topics', 'closed')
    chmodSync(root, 0o755)
    chmodSync(closed, 0)
    const as = { cwd: root, unprivileged: true }
    const stderr = `${closed}: its topics are not seen: ${closed} was to be read, the disk answered EACCES\n`
    expect(run('jwz', ['topic', 'list', '-q'], as)).toMatchObject({ code: 7, stdout: 'good\n', stderr: '' })
    expect(run('jwz', ['topic', 'list'], as)).toMatchObject({ code: 7, stderr })
    expect(run('jwz', ['doctor', '--log'], as)).toMatchObject({ code: 7, stderr })
    expect(run('jwz', ['doctor', 'good'], as)).toMatchObject({
      code: 7,
      stdout: 'good: 1 record, 0 torn, 0 repeated, 0 corrupt\n',
    })
    const unseen = `${stderr}no topic closed:* is seen in ${join(root, '.jwz')}\n`
    expect(run('jwz', ['doctor', 'closed:*'], as)).toMatchObject({ code: 7, stdout: '', stderr: unseen })
    expect(run('jwz', ['doctor'], as).stdout).toContain(`bad   logs: ${stderr}`)
    chmodSync(closed, 0o755)
  })
})

describe('a store that may not be entered', () => {
  it('is a finding of the doctor, who tells the rest', () => {
    const { cwd, post } = freshBus()
    post('t', 'x')
    const store = join(cwd, '.jwz')
    const as = { cwd, unprivileged: true }
    const told = (closed: string) => {
      chmodSync(closed, 0)
      const { code, stdout, stderr } = run('jwz', ['doctor', '--json'], as)
      chmodSync(closed, 0o755)
      const bad = JSON.parse(stdout).filter(({ state }: { state: string }) => state === 'bad')
      return { code, stderr, bad: bad.map(({ check, detail }: Record<string, string>) => [check, detail]) }
    }
    chmodSync(cwd, 0o755)
    const topics = join(store, 'topics')
    const unread = (path: string) => `${path} was to be read, the disk answered EACCES`
    expect(told(topics)).toEqual({
      ...{ code: 1, stderr: '' },
      bad: [
        ['store', `${topics} may not be read: EACCES`],
        ['logs', `${topics}: its topics are not seen: ${unread(topics)}`],
        ['leftovers', unread(topics)],
      ],
    })
    const { code, stderr, bad } = told(store)
    expect([code, stderr, new Set(bad.map(([check]: string[]) => check))]).toEqual([
      1,
      '',
      new Set(['store', 'logs', 'leftovers', 'name']),
    ])
  })
})

describe('a topic that cannot be read', () => {
  const reads = [
    ['inbox'],
    ['search'],
    ['agents'],
    ['export'],
    ['ack', '--pending'],
    ['topic', 'list'],
    ['doctor', '--log'],
  ]

  it('takes no other from those who read many: each says which it was, and exits 7', () => {
    const { cwd, jwz, post, file } = freshBus()
    const ids = ['good', 'shut', 'cut'].map((topic) => post(topic, `in ${topic}`, '--to', 'bob'))
    jwz(['post', 'long', '-F', '-', '--to', 'bob'], { input: `begun ${'x'.repeat(40_000)}` })
    chmodSync(cwd, 0o755)
    chmodSync(file('shut'), 0)
    // Also to root: a folder where an older part of a topic was.
    mkdirSync(file('cut').replace('.jsonl', '.01KAH5T5A9Q3000000000000AA.jsonl'))
    const [blob = ''] = readdirSync(join(cwd, '.jwz/blobs'))
    chmodSync(join(cwd, '.jwz/blobs', blob), 0)
    const as = { cwd, unprivileged: true, env: { JWZ_AGENT: 'bob' } }
    for (const verb of reads) {
      const { code, stdout, stderr } = run('jwz', verb, as)
      expect({ verb, code }).toEqual({ verb, code: 7 })
      expect(stdout).toMatch(verb[0] === 'agents' ? /ann/ : /good/)
      expect(stderr).toContain(`shut: is not read whole: ${file('shut')} was to be read, the disk answered EACCES\n`)
      expect(stderr.match(/^shut: /gm)).toHaveLength(1)
    }
    expect(run('jwz', ['inbox'], as).stdout).toContain('begun xx')
    // Nothing of it is taken for what there is not.
    expect(run('jwz', ['inbox', '--as', 'nobody'], as)).toMatchObject({ code: 7, stdout: '' })
    expect(run('jwz', ['show', ids[0] ?? '', '--json'], as)).toMatchObject({ code: 0 })
    expect(run('jwz', ['show', '01KAH5T5A9Q3000000000000AA'], as)).toMatchObject({ code: 1, stdout: '' })
    chmodSync(join(cwd, '.jwz/blobs', blob), 0o755)
  })

  it('costs nobody what they have read of it, and is followed again when it can be read', async () => {
    const { cwd, jwz, post, file } = freshBus()
    const bob = { env: { JWZ_AGENT: 'bob' } }
    for (const topic of ['good', 'cut']) post(topic, `in ${topic}`, '--to', 'bob')
    expect(jwz(['inbox', '--commit', '-q'], bob).stdout.trim().split('\n')).toHaveLength(2)
    const inTheWay = file('cut').replace('.jsonl', '.01KAH5T5A9Q3000000000000AA.jsonl')
    mkdirSync(inTheWay)
    const follower = start('jwz', ['follow'], { cwd })
    running.push(follower)
    await follower.waitFor(new RegExp(`^cut: ${inTheWay} was to be read, it is no file$`, 'm'))
    post('good', 'more', '--to', 'bob')
    await follower.waitFor(/: more\n/)
    expect(jwz(['inbox', '--commit'], bob)).toMatchObject({ code: 7, stdout: expect.stringContaining('more') })
    rmdirSync(inTheWay)
    expect(jwz(['inbox'], bob)).toMatchObject({ code: 3, stdout: '', stderr: 'nothing for bob\n' })
    post('cut', 'come back')
    await follower.waitFor(/: come back\n/)
  })
})
