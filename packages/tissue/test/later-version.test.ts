// What a later version has written: read as far as it is understood, and not written to.
import { appendFileSync, readFileSync } from 'node:fs'
import { openTerminal, start, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const envelope = { v: 1, id: 'L1', seq: 50, at: 0, by: 'eve' }
const tagged = { ...envelope, id: 'L2', type: 'tagged', issue: 'app-aaaa00000001', tag: 'x' }
const sprinted = { ...envelope, type: 'sprinted', issue: 'app-aaaa00000001' }
const strange: readonly (readonly [kind: string, event: object])[] = [
  ['sprinted', sprinted],
  ['v2', { ...envelope, v: 2, type: 'claimed' }],
  ['sprinted', { ...envelope, type: 'batch', events: [tagged, { ...envelope, id: 'L3', type: 'sprinted' }] }],
]

const told = 'events of a later version passed over (sprinted); update tissue\n'

/** A store with two issues, one of them over, to which a later version has written. */
function writtenTo() {
  const root = tempRepo()
  const [open, over] = ['One', 'Two'].map((title) => tissue(root, ['new', title]).stdout.trim())
  expect(tissue(root, ['close', `${over}`]).code).toBe(0)
  appendFileSync(logOf(root), `${JSON.stringify(sprinted)}\n`)
  return { root, open: `${open}`, over: `${over}` }
}

describe('a log with an event of a later version', () => {
  it.each(strange)('is read with a word on stderr, and not written to: %s', (kind, event) => {
    const root = tempRepo()
    const id = tissue(root, ['new', 'One']).stdout.trim()
    expect(tissue(root, ['claim', id]).code).toBe(0)
    const line = `${JSON.stringify(event)}\n`
    const into = tempRepo()
    expect(tissue(into, ['import', '-'], line)).toMatchObject({ code: 7, stdout: '' })
    appendFileSync(logOf(root), line)
    const before = readFileSync(logOf(root), 'utf8')
    const note = `events of a later version passed over (${kind}); update tissue\n`
    expect(tissue(root, ['list', '--jsonl'])).toEqual({ code: 0, stdout: expect.stringContaining(id), stderr: note })
    expect(tissue(root, ['show', id])).toMatchObject({ code: 0, stderr: note })
    const refused = {
      code: 7,
      stdout: '',
      stderr: `tissue: expected events of this version, there are some of a later one: ${kind}; nothing was written; update tissue\n`,
    }
    const writes = [
      ['new', 'Two'],
      ['claim', id],
      ['close', id],
      ['release', id],
      ['comment', id, '-m', 'x'],
      ['claim', '--renew'],
      ['compact'],
    ]
    for (const args of writes) expect(tissue(root, args), args.join(' ')).toEqual(refused)
    expect(tissue(root, ['batch'], '{"verb":"new","title":"Two"}\n')).toEqual(refused)
    expect(readFileSync(logOf(root), 'utf8')).toBe(before)
    // What has nothing to write is no write.
    expect(tissue(root, ['reopen', id])).toEqual({ code: 0, stdout: `${id}\n`, stderr: note })
    expect(json(root, 'doctor', '--log')).toMatchObject({ unknown: 1, corrupt: [] })
  })
  it('is told of by every verb that reads it, once, and not with --quiet', () => {
    const { root, over } = writtenTo()
    const reads = [
      ['wait', over],
      ['board', '--html'],
      ['history'],
      ['history', over],
      ['export'],
      ['export', '--all'],
      ['export', '--format', 'csv'],
      ['export', '--json'],
    ]
    for (const args of reads) {
      expect(tissue(root, args), args.join(' ')).toEqual({ code: 0, stdout: expect.stringMatching(/./), stderr: told })
      if (!args.includes('--json'))
        expect(tissue(root, [...args, '--quiet']), args.join(' ')).toMatchObject({ code: 0, stderr: '' })
    }
  })

  it('is told of by who waits or follows when the event comes only then', async () => {
    const root = tempRepo()
    const id = tissue(root, ['new', 'One']).stdout.trim()
    const wait = start('tissue', ['wait', id, '--timeout', '1h'], { cwd: root })
    const follower = start('tissue', ['history', '--follow'], { cwd: root })
    await Promise.all([wait.waitFor(/^waiting for /), follower.waitFor(/One/)])
    const closed = { ...envelope, id: 'L4', seq: 51, type: 'closed', issue: id }
    appendFileSync(logOf(root), [sprinted, closed].map((event) => `${JSON.stringify(event)}\n`).join(''))
    expect((await wait.done).stderr).toBe(`waiting for ${id} to be over\n${told}`)
    await follower.waitFor(/closed/)
    follower.child.kill('SIGINT')
    expect(await follower.done).toMatchObject({ code: 130, stderr: told })
  })

  it('is told of by the board when the terminal is given back', async () => {
    const { root } = writtenTo()
    const terminal = openTerminal(root, 'tissue board; echo code=$?')
    expect(await terminal.see(/Ready 1/)).not.toContain('later version')
    terminal.keys('q')
    expect(await terminal.see(/code=\d+/)).toContain(`${told}code=0\n`)
  })
})
