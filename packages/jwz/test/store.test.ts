import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { faultEnv, git, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { failed, freshBus, ok } from './bus.ts'

describe('jwz init', () => {
  it('makes the store once and prints where it is', () => {
    const { cwd, jwz } = freshBus()
    expect(jwz(['init'])).toEqual(ok(`${cwd}/.jwz\n`))
    expect(JSON.parse(jwz(['init', '--json']).stdout)).toEqual({ store: `${cwd}/.jwz`, created: false })
    expect(readFileSync(join(cwd, '.jwz/.gitignore'), 'utf8')).toBe('*\n')
  })
})

describe('jwz where', () => {
  it('says which store and why, before and after it is made', () => {
    const { cwd, jwz, post } = freshBus()
    const reason = 'the repository around the current folder'
    expect(jwz(['where'])).toEqual(ok(`${cwd}/.jwz\n${reason}; not made yet, the first post makes it\n`))
    post('t', 'x')
    expect(JSON.parse(jwz(['where', '--json']).stdout)).toEqual({
      v: 1,
      store: `${cwd}/.jwz`,
      base: cwd,
      exists: true,
      reason,
    })
    expect(jwz(['where', '-q', '--store', '/else/.jwz'])).toEqual(ok('/else/.jwz\n'))
    expect(jwz(['where'], { env: { JWZ_STORE: 'x' } }).stdout).toBe(
      `${cwd}/x\nJWZ_STORE; not made yet, the first post makes it\n`,
    )
  })

  it('is the same in a worktree and its own outside', () => {
    const { cwd, jwz } = freshBus()
    git(cwd, 'worktree', 'add', '-q', '-b', 'side', join(cwd, '.worktrees/side'))
    expect(jwz(['where', '-q'], { cwd: join(cwd, '.worktrees/side') })).toEqual(ok(`${cwd}/.jwz\n`))
    const outside = tempFolder('outside')
    expect(jwz(['where', '-q'], { cwd: outside })).toEqual(ok(`${outside}/.jwz\n`))
  })

  it('exits 3 in a worktree whose repository has moved', () => {
    const { cwd, jwz } = freshBus()
    const worktree = join(tempFolder('worktree'), 'w')
    git(cwd, 'worktree', 'add', '-q', worktree)
    rmSync(join(cwd, '.git'), { recursive: true })
    expect(jwz(['post', 't', '-m', 'x'], { cwd: worktree })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('git worktree repair'),
    })
    expect(existsSync(join(worktree, '.jwz'))).toBe(false)
  })
})

describe('jwz doctor --log', () => {
  it('counts torn and repeated lines and exits 0, names corrupt ones and exits 7', () => {
    const { jwz, post, file } = freshBus()
    post('sound', 'x')
    const id = post('t', 'x')
    appendFileSync(file('t'), readFileSync(file('t'), 'utf8'))
    appendFileSync(file('t'), '{"v":1,"id":"cut')
    expect(jwz(['doctor', 't'])).toEqual(ok('t: 1 record, 1 torn, 1 repeated, 0 corrupt\n'))
    post('t', 'heals')
    appendFileSync(file('t'), `garbage\n{"v":1,"id":"${id}","at":1}\n`)
    const broken = jwz(['doctor', '--log'])
    expect(broken.code).toBe(7)
    expect(broken.stdout).toBe(
      `sound: 1 record, 0 torn, 0 repeated, 0 corrupt\nt: 2 records, 1 torn, 1 repeated, 2 corrupt\n` +
        `  ${file('t')}:5: not JSON\n  ${file('t')}:6: id ${id} was used before with other content, at ${file('t')}:1\n`,
    )
    expect(JSON.parse(jwz(['doctor', 't', '--json']).stdout)[0]).toMatchObject({
      topic: 't',
      records: 2,
      torn: 1,
      bodies: [],
    })
    expect(jwz(['doctor', '-q', 'sou*'])).toEqual(ok('sound\n'))
  })

  it('is what topics ask for, too; --fix goes with neither', () => {
    const { jwz, post } = freshBus()
    for (const topic of ['issue:a', 'issue:b', 'news']) post(topic, 'x')
    const [, , news] = JSON.parse(jwz(['doctor', '--log', '--json']).stdout)
    expect(JSON.parse(jwz(['doctor', 'news', '--json']).stdout)).toEqual([news])
    expect(jwz(['doctor', 'issue:*', '-q'])).toEqual(ok('issue:a\nissue:b\n'))
    expect(jwz(['doctor', 'issue:*', '--log', '-q'])).toEqual(ok('issue:a\nissue:b\n'))
    const why = 'expected --fix without --log and topics; it changes no line of a log'
    for (const args of [['--log'], ['news']]) expect(jwz(['doctor', '--fix', ...args])).toEqual(failed(2, why))
  })

  it('exits 3 when no topic is meant, 0 when there is none at all', () => {
    const { cwd, jwz, post } = freshBus()
    expect(jwz(['doctor', '--log'])).toEqual({ ...ok(''), stderr: `no topics in ${cwd}/.jwz\n` })
    post('t', 'x')
    expect(jwz(['doctor', 'typo'])).toEqual(failed(3, `no topic typo in ${cwd}/.jwz; jwz topic list shows them`))
  })
})

describe('a body that was cut off', () => {
  it('is not taken for the whole one', () => {
    const { cwd, jwz } = freshBus()
    const id = jwz(['post', 't', '-'], { input: 'x'.repeat(40_000) }).stdout.trim()
    const [blob = ''] = readdirSync(join(cwd, '.jwz/blobs'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.length > 60,
    )
    truncateSync(join(cwd, '.jwz/blobs', blob), 20_000)
    expect(jwz(['latest', 't'])).toEqual({
      ...ok(`${'x'.repeat(500)}\n`),
      stderr: `the body of ${id} is not in ${cwd}/.jwz: only its beginning is shown\n`,
    })
    expect(jwz(['doctor', '--log']).code).toBe(7)
  })
})

describe('a topic that cannot be read', () => {
  it('exits 1 with the disk’s answer for who reads it, and 7 for who reads many: a part is not all', () => {
    const { jwz, post, file } = freshBus()
    const id = post('t', 'x')
    const verbs = [
      ['read', 't'],
      ['latest', 't'],
      ['show', id],
      ['thread', id],
      ['reply', id, '-m', 'x'],
      ['wait', 't', '--timeout', '1s'],
    ]
    const env = faultEnv({ call: 'openSync', nth: 1, action: 'EACCES', match: '/t.jsonl' })
    // Which file of the topic is asked for first differs.
    const answer = String.raw`.*/t\.jsonl(\.dropped)? was to be read, the disk answered EACCES\n`
    for (const verb of verbs) {
      const stderr = expect.stringMatching(new RegExp(`^jwz: ${answer}$`))
      expect(jwz(verb, { env }), verb.join(' ')).toMatchObject({ code: 1, stdout: '', stderr })
    }
    for (const verb of [
      ['search', 'x'],
      ['topic', 'list'],
      ['doctor', '--log'],
    ]) {
      const stderr = expect.stringMatching(new RegExp(`^t: is not read whole: ${answer}`))
      expect(jwz(verb, { env }), verb.join(' ')).toMatchObject({ code: 7, stderr })
    }
    mkdirSync(file('folder'))
    expect(jwz(['read', 'folder'])).toEqual(failed(1, `${file('folder')} was to be read, it is no file`))
  })
})

describe('a store that cannot be written', () => {
  it('exits 1 with what was to be done and the disk’s answer', () => {
    const { cwd, jwz, post } = freshBus()
    writeFileSync(join(cwd, 'file'), '')
    const elsewhere = 'move that away, or name another place with --store or JWZ_STORE'
    expect(jwz(['post', 't', '-m', 'x', '--store', 'file'])).toEqual(
      failed(1, `expected a folder for the store at ${cwd}/file, ${cwd}/file is no folder; ${elsewhere}`),
    )
    expect(jwz(['post', 't', '-m', 'x', '--store', 'file/below'])).toEqual(
      failed(1, `expected a folder for the store at ${cwd}/file/below, ${cwd}/file is no folder; ${elsewhere}`),
    )
    post('t', 'first')
    const denied = { env: faultEnv({ call: 'openSync', nth: 1, action: 'EACCES', match: 't.jsonl' }) }
    expect(jwz(['post', 't', '-m', 'x'], denied)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/t\.jsonl.*EACCES/),
    })
    const full = { env: faultEnv({ call: 'mkdirSync', nth: 1, action: 'ENOSPC', match: '/topics/a' }) }
    expect(jwz(['post', 'a:b', '-m', 'x'], full)).toEqual(
      failed(1, 'a message was to be posted to a:b, the disk answered ENOSPC'),
    )
    const noBlob = { env: faultEnv({ call: 'writeFileSync', nth: 1, action: 'ENOSPC', match: '/blobs/' }) }
    expect(jwz(['post', 't', '-'], { input: 'x'.repeat(40_000), ...noBlob })).toEqual(
      failed(1, `a body of 40000 bytes was to be kept in ${cwd}/.jwz, the disk answered ENOSPC`),
    )
    expect(jwz(['read', 't', '-q']).stdout.trim().split('\n')).toHaveLength(1)
  })

  it('leaves a .gitignore that is there as it is', () => {
    const cwd = tempRepo({ '.jwz/.gitignore': '# ours\n' })
    const { jwz } = freshBus()
    jwz(['post', 't', '-m', 'x'], { cwd })
    expect(readFileSync(join(cwd, '.jwz/.gitignore'), 'utf8')).toBe('# ours\n')
  })
})
