// What a later version has written: read as far as it is understood, and not written to.
import { appendFileSync, readFileSync } from 'node:fs'
import { tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const envelope = { v: 1, id: 'L1', seq: 50, at: 0, by: 'eve' }
const tagged = { ...envelope, id: 'L2', type: 'tagged', issue: 'app-aaaa00000001', tag: 'x' }
const strange: readonly (readonly [kind: string, event: object])[] = [
  ['sprinted', { ...envelope, type: 'sprinted', issue: 'app-aaaa00000001' }],
  ['v2', { ...envelope, v: 2, type: 'claimed' }],
  ['sprinted', { ...envelope, type: 'batch', events: [tagged, { ...envelope, id: 'L3', type: 'sprinted' }] }],
]

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
      ['heartbeat'],
      ['compact'],
    ]
    for (const args of writes) expect(tissue(root, args), args.join(' ')).toEqual(refused)
    expect(tissue(root, ['batch'], '{"verb":"new","title":"Two"}\n')).toEqual(refused)
    expect(readFileSync(logOf(root), 'utf8')).toBe(before)
    // What has nothing to write is no write.
    expect(tissue(root, ['reopen', id])).toEqual({ code: 0, stdout: `${id}\n`, stderr: note })
    expect(json(root, 'check')).toMatchObject({ unknown: 1, corrupt: [] })
  })
})
