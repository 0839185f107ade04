import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { spentByCodex } from '@switchyard/wire/spent-codex'
import { describe, expect, it } from 'vitest'

function transcript() {
  const path = join(tempFolder('codex'), 'rollout.jsonl')
  const add = (...lines: readonly unknown[]) =>
    appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return { path, add }
}

const count = (input_tokens: number, cached_input_tokens: number, output_tokens: number) => ({
  type: 'event_msg',
  payload: { type: 'token_count', info: { total_token_usage: { input_tokens, cached_input_tokens, output_tokens } } },
})
const other = { type: 'response_item', payload: { type: 'message', text: 'a "token_count" of 5' } }

describe('what a conversation of Codex has spent', () => {
  it('is the last count, less what it was where the last look ended; a count that is told twice counts once', () => {
    const { path, add } = transcript()
    expect(spentByCodex(undefined, 0)).toEqual({ usage: null, to: 0 })
    expect(spentByCodex(path, 0)).toEqual({ usage: null, to: 0 })
    add(other, { type: 'event_msg', payload: { type: 'token_count', info: null } })
    expect(spentByCodex(path, 0).usage).toBeNull()
    add(count(100, 20, 5), count(100, 20, 5), other)
    const first = spentByCodex(path, 0)
    expect(first.usage).toEqual({ input_tokens: 100, output_tokens: 5, cached_tokens: 20 })
    expect(spentByCodex(path, first.to)).toEqual({ usage: null, to: first.to })
    add(count(100, 20, 5), other, count(350, 120, 25))
    expect(spentByCodex(path, first.to).usage).toEqual({ input_tokens: 250, output_tokens: 20, cached_tokens: 100 })
    appendFileSync(path, JSON.stringify(count(900, 0, 900)))
    expect(spentByCodex(path, 0).usage).toEqual({ input_tokens: 350, output_tokens: 25, cached_tokens: 120 })
  })

  it('is never less than nothing, and no hostile line is a count', () => {
    const { path, add } = transcript()
    add(count(100, 0, 5))
    const { to } = spentByCodex(path, 0)
    add(count(50, 0, 9), count(-1, 0, 5), count(1.5, 0, 5), { payload: { type: 'token_count', info: 'x' } })
    appendFileSync(path, '"token_count"\n{"token_count\n')
    expect(spentByCodex(path, to).usage).toEqual({ input_tokens: 0, output_tokens: 4, cached_tokens: 0 })
  })
})
