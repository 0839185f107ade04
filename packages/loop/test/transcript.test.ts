import { appendFileSync, closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, meter, scaled, start, stopped, tempFolder, tempRepo } from '@switchyard/testkit'
import { claude } from '@switchyard/wire/claude'
import { codex } from '@switchyard/wire/codex'
import { lastWords } from '@switchyard/wire/last-message'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { input, task } from './hook-fixture.ts'

type Line = Record<string, unknown>
type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; name: string }
  | { type: 'thinking'; thinking: string }

const assistant = (id: string, block: Block, more: Line = {}): Line => ({
  type: 'assistant',
  isSidechain: false,
  message: { id, role: 'assistant', content: [block] },
  ...more,
})
const words = (text: string, id = 'm1') => assistant(id, { type: 'text', text })
const user: Line = { type: 'user', isSidechain: false, message: { role: 'user', content: 'go on' } }
const aside: Line = { ...words('<loop-done>done</loop-done>', 'side'), isSidechain: true }
const note: Line = { type: 'system', subtype: 'turn_duration' }
const text = (lines: readonly (Line | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')

function wordsOf(lines: readonly (Line | string)[], adapter = claude): string | undefined {
  const path = join(tempFolder('transcript'), 'session.jsonl')
  writeFileSync(path, text(lines))
  return lastWords(path, adapter)
}

describe('the last message of a transcript', () => {
  it.each<[string, (Line | string)[], string | undefined]>([
    ['is that of the last turn', [user, words('first'), user, words('last', 'm2')], 'last'],
    ['is behind what subagents and the client write', [user, words('last'), aside, note, { type: 'summary' }], 'last'],
    ['has all its parts', [user, words('a'), assistant('m1', { type: 'thinking', thinking: 'x' }), words('b')], 'a\nb'],
    ['is not older than the prompt', [words('before'), user], undefined],
    [
      'is none when a tool was called last',
      [user, words('a'), assistant('m1', { type: 'tool_use', name: 'x' })],
      undefined,
    ],
    ['is found between damaged lines', [user, words('last'), '{"type":"assist', '\u0000\u0000', '[]', '7'], 'last'],
    ['is none in an empty file', [], undefined],
  ])('%s', (_, lines, expected) => {
    expect(wordsOf(lines)).toBe(expected)
  })

  it('is read from the format of Codex, too', () => {
    const item = (payload: Line) => ({ timestamp: 't', type: 'response_item', payload })
    const message = (role: string, said: string) =>
      item({ type: 'message', role, content: [{ type: 'output_text', text: said }] })
    const event = { type: 'event_msg', payload: { type: 'token_count' } }
    expect(wordsOf([message('user', 'hi'), message('assistant', 'last'), event], codex)).toBe('last')
    expect(wordsOf([message('assistant', 'old'), item({ type: 'function_call' })], codex)).toBeUndefined()
  })

  it('is the same whatever lies around it and wherever blocks begin', () => {
    const noise = fc.oneof(
      fc.constant(aside),
      fc.constant(note),
      fc.string().filter((said) => !/^\s*\{/.test(said) && !said.includes('\n')),
      fc.integer({ min: 0, max: 70_000 }).map((size) => ({ type: 'attachment', data: 'x'.repeat(size) })),
    )
    const around = fc.array(noise, { maxLength: 5 })
    fc.assert(
      fc.property(around, around, fc.string({ minLength: 1 }), (before, after, said) => {
        expect(wordsOf([user, ...before, words(said), ...after])).toBe(said)
      }),
      { numRuns: scaled(300) },
    )
  })
})

describe('the stop hook, where the host sends no last message', () => {
  const root = tempRepo()
  const stop = (bound: { session: string }, path: string, env: Record<string, string> = {}) =>
    start('loop', ['hook', '--host', 'claude'], {
      cwd: root,
      env,
      input: input('claude-stop', root, {
        session_id: bound.session,
        last_assistant_message: undefined,
        transcript_path: path,
      }),
    })

  it('waits for a message that is still being written', async () => {
    const bound = task(root, 'claude')
    const path = join(tempFolder('transcript'), 'session.jsonl')
    writeFileSync(path, text([words('not yet', 'm0'), user]))
    const line = JSON.stringify(words('<loop-done>done</loop-done>'))
    appendFileSync(path, line.slice(0, 20))
    // The hook stands still at its second look at it, and has found half a message at the first.
    const started = stop(bound, path, faultEnv({ call: 'statSync', nth: 2, action: 'stop', match: 'session.jsonl' }))
    await stopped(started.child.pid)
    appendFileSync(path, `${line.slice(20)}\n`)
    started.child.kill('SIGCONT')
    expect(JSON.parse((await started.done).stdout).systemMessage).toContain('complete')
  })

  it('does not wait for ever, and takes no words of an earlier turn', async () => {
    const bound = task(root, 'claude')
    const path = join(tempFolder('transcript'), 'session.jsonl')
    writeFileSync(path, text([words('<loop-done>done</loop-done>'), user]))
    expect(JSON.parse((await stop(bound, path).done).stdout).decision).toBe('block')
  })

  it('reads the end of a long transcript, and of no more', async () => {
    const bound = task(root, 'claude')
    const path = join(tempFolder('transcript'), 'long.jsonl')
    const line = text([{ type: 'user', message: { content: 'x'.repeat(1_000_000) } }])
    const file = openSync(path, 'w')
    for (let count = 0; count < scaled(100); count++) writeSync(file, line)
    writeSync(file, text([user, words('<loop-done>done</loop-done>'), aside, note]))
    closeSync(file)
    const { env, taken } = meter('long.jsonl')
    expect(JSON.parse((await stop(bound, path, env).done).stdout).systemMessage).toContain('complete')
    expect(taken().bytes).toBeLessThan(300_000)
    expect(taken().bytes).toBeGreaterThan(0)
  })

  it('gives up on one whose end is all one line', async () => {
    const bound = task(root, 'claude')
    const path = join(tempFolder('transcript'), 'wide.jsonl')
    writeFileSync(path, text([words('<loop-done>done</loop-done>'), { type: 'progress', data: 'x'.repeat(9_000_000) }]))
    const { env, taken } = meter('wide.jsonl')
    expect(JSON.parse((await stop(bound, path, env).done).stdout).decision).toBe('block')
    expect(taken().bytes).toBeLessThan(9_000_000)
  })
})
