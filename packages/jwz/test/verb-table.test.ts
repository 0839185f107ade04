import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { VerbSpec } from '@switchyard/cli-kit'
import { verbFaults } from '@switchyard/cli-kit/verb-faults'
import { guideFaults } from '@switchyard/cli-kit/verb-guide'
import { cleanEnv } from '@switchyard/testkit'
import { messageSchema } from '@switchyard/topic/schema'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { guide } from '../src/verb-guide.ts'
import { failed, freshBus } from './bus.ts'

const commands = new URL('../src/commands/', import.meta.url)
const names = readdirSync(commands).map((file) => file.replace(/\.ts$/, ''))

async function loadVerbs(): Promise<Record<string, VerbSpec>> {
  const verbs: Record<string, VerbSpec> = {}
  for (const name of names) {
    const module: Record<string, VerbSpec> = await import(new URL(`${name}.ts`, commands).href)
    const [verb] = Object.values(module)
    if (verb) verbs[name.replace('-', ' ')] = verb
  }
  return verbs
}

describe('the table of verbs', () => {
  it('has a verb for each file of commands', () => {
    const table = readFileSync(new URL('../src/cli.ts', import.meta.url), 'utf8')
    const listed = [...table.matchAll(/commands\/([a-z-]+)\.ts/g)].map(([, name]) => name)
    expect(listed.sort()).toEqual(names.sort())
  })

  it('does not contradict itself, and has every verb in one group', async () => {
    const verbs = await loadVerbs()
    expect(verbFaults(verbs)).toEqual([])
    expect(guideFaults(guide, Object.keys(verbs))).toEqual([])
  })

  it('has examples that are no wrong usage', async () => {
    const { cwd, post } = freshBus()
    for (const topic of ['issue:auth-123', 'news', 'loop:current']) post(topic, 'READY')
    for (const [name, { examples }] of Object.entries(await loadVerbs())) {
      for (const example of examples) {
        const bounded =
          name === 'follow' || name === 'wait' ? `timeout 1 bash -c '${example.replaceAll("'", `'\\''`)}'` : example
        const { status, stderr } = spawnSync('bash', ['-c', bounded], { cwd, env: cleanEnv(), encoding: 'utf8' })
        expect([example, [2, 70, 127].includes(status ?? 0) ? stderr : '']).toEqual([example, ''])
      }
    }
  })
})

describe('jwz help', () => {
  it('lists what people type; bridge, which is for programs, has its own page', () => {
    const { jwz } = freshBus()
    const listed = jwz(['help']).stdout
    expect(listed).toContain('\n  migrate ')
    expect([listed, jwz([]).stderr].filter((text) => text.includes('bridge'))).toEqual([])
    expect(jwz(['help', 'bridge'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer command lines') })
  })
})

describe('the name of a verb that is a flag now', () => {
  it.each([
    ['blob put', 'post --attach'],
    ['blob get', 'show --attachment'],
    ['blob gc', 'compact'],
    ['cursor list', 'read --status'],
    ['cursor reset', 'read --consumer NAME --reset PLACE'],
    ['stats', 'topic list'],
    ['check', 'doctor --log'],
    ['lease renew', 'lease acquire --renew'],
    ['lease steal', 'lease acquire --steal'],
  ])('%s says what is typed instead', (former, now) => {
    const { jwz } = freshBus()
    expect(jwz([...former.split(' '), 'x'])).toEqual(
      failed(2, `expected a verb, got "${former}"; did you mean jwz ${now}?`),
    )
  })
})

describe('jwz schema message', () => {
  it('is what every verb prints with --json', () => {
    const { jwz, post } = freshBus()
    expect(JSON.parse(jwz(['schema', 'message']).stdout)).toEqual(z.toJSONSchema(messageSchema))
    const id = post('t', 'question')
    const big = post('t', 'x'.repeat(40_000), '--data', 'null')
    const one = [
      ['post', 't', '-m', 'x', '--role', 'r', '--model', 'm', '--to', 'a', '-t', 'b', '--reply-to', id],
      ['reply', id, '-m', 'y'],
      ['latest', 't'],
      ['show', big],
      ['wait', 't', '--reply-to', id],
    ].map((args) => JSON.parse(jwz([...args, '--json']).stdout))
    const lists = [
      ['read', 't'],
      ['thread', id],
      ['search', 'x'],
    ].map((args) => JSON.parse(jwz([...args, '--json']).stdout))
    const lines = jwz(['follow', '--limit', '3', '--count', '3', '--jsonl']).stdout.trim().split('\n')
    const messages = [...one, ...lists.flat(), ...lines.map((line) => JSON.parse(line))]
    expect(messages.length).toBeGreaterThan(12)
    for (const message of messages) expect(messageSchema.safeParse(message)).toMatchObject({ success: true })
  })
})
