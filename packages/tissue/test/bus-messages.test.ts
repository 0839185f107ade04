import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { json, tissue } from './tissue.ts'

function withBus(): { root: string; id: string; post: (...args: string[]) => void } {
  const root = tempRepo()
  run('jwz', ['init'], { cwd: root })
  const id = tissue(root, ['new', 'Fix login']).stdout.trim()
  const post = (...args: string[]) => {
    expect(run('jwz', ['post', ...args], { cwd: root, env: { JWZ_AGENT: 'bob' } }).code).toBe(0)
  }
  return { root, id, post }
}

type Said = { topic: string; from: string; body: string }

describe('tissue show on a bus', () => {
  it('lists what was said on the topic of the issue, and elsewhere with its id; not its own news or that of loop', () => {
    const { root, id, post } = withBus()
    expect(json(root, 'show', id).messages).toEqual([])
    post(`issue:${id}`, '-m', 'I know this one\nand more')
    post('dev', '-m', `look at ${id}, please`)
    post('dev', '-m', `not ${id}x nor other-${id}`)
    post(`issue:${id}`, '-m', 'over soon', '--ttl', '1ms')
    post('dev', '-m', 'nothing of it')
    post('plan', '-m', 'next', '--tag', id)
    for (const topic of ['loop:current', 'loop:run:01x', 'loop:notes:01x']) post(topic, '-m', `${id} active`)
    for (let at = 0; at < 6; at++) post('loop:current', '-m', `${id} ${at}`)
    tissue(root, ['comment', id, '-m', 'no message'])
    const { messages } = json(root, 'show', id)
    expect(messages.map(({ topic, from, body }: Said) => [topic, from, body])).toEqual([
      ['plan', 'bob', 'next'],
      ['dev', 'bob', `look at ${id}, please`],
      [`issue:${id}`, 'bob', 'I know this one\nand more'],
    ])
    const { stdout } = tissue(root, ['show', id])
    const age = /bob, (?:just now|\d+[smh] ago):/
    expect(
      stdout
        .split('\n')
        .slice(-4)
        .map((line) => line.replace(age, 'bob, AGE:')),
    ).toEqual([
      'on the bus plan  bob, AGE: next',
      `on the bus dev  bob, AGE: look at ${id}, please`,
      `on the bus issue:${id}  bob, AGE: I know this one`,
      '',
    ])
    expect(tissue(root, ['show', id, '--quiet']).stdout).toBe(`${id}\n`)
  })

  it('shows the newest few, none that is over, and survives what is no message', () => {
    const { root, id, post } = withBus()
    post('dev', '-m', `over: ${id}`, '--ttl', '1ms')
    appendFileSync(join(root, '.jwz/topics/dev.jsonl'), `{"a line about":"${id}"}\ntorn ${id}`)
    for (let at = 0; at < 8; at++) post('dev', '-m', `${at}: ${id}`)
    const { messages } = json(root, 'show', id)
    expect(messages.map(({ body }: Said) => body)).toEqual([7, 6, 5, 4, 3].map((at) => `${at}: ${id}`))
  })

  it('shows the issue although a topic cannot be read, and says which', () => {
    const { root, id, post } = withBus()
    for (const topic of ['dev', `issue:${id}`, 'plan']) post(topic, '-m', `look at ${id}`)
    for (const topic of ['dev', `issue/${id}`])
      mkdirSync(join(root, `.jwz/topics/${topic}.01KAH5T5A9Q3000000000000AA.jsonl`))
    const { code, stdout, stderr } = tissue(root, ['show', id, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).messages.map(({ topic }: Said) => topic)).toContain('plan')
    expect(stderr).toMatch(
      /^of the bus not all is read: .*issue\/.*\.01KAH5T5A9Q3000000000000AA\.jsonl was to be read, it is no file$/m,
    )
  })

  it('is silent without one, and where the bus is empty', () => {
    const root = tempRepo()
    const id = tissue(root, ['new', 'Alone']).stdout.trim()
    expect(json(root, 'show', id).messages).toBeUndefined()
    mkdirSync(join(root, '.jwz/topics'), { recursive: true })
    expect(json(root, 'show', id).messages).toEqual([])
    expect(tissue(root, ['show', id]).stdout).not.toContain('on the bus')
  })
})
