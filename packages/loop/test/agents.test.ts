import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, type Finished, run, script, start, tempFolder, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, landedIds, leftovers, place, placeAt, read, show } from './place.ts'

type Envelope = Record<string, unknown>

const done: Envelope = {
  ...{
    v: 1,
    agent: 'claude',
    text: 'did it\n<loop-done>done</loop-done>',
    session: null,
    outcome: 'done',
    exit_code: 0,
  },
  ...{ usage: null, cost_usd: null, duration_ms: 5, limit: null, error: null },
}

/** A folder for PATH with a `scope` that prints an envelope after the other, the last again and again. */
function scopeWith(envelopes: readonly (Envelope | string)[], act = 'true'): string {
  const folder = tempFolder('scope')
  mkdirSync(join(folder, 'says'))
  for (const [index, said] of envelopes.entries()) {
    writeFileSync(
      join(folder, 'says', String(index + 1)),
      typeof said === 'string' ? said : `${JSON.stringify(said)}\n`,
    )
  }
  const text = [
    '#!/bin/sh',
    'cat > /dev/null',
    `echo "$*" >> ${folder}/calls`,
    `n=$(wc -l < ${folder}/calls)`,
    act,
    `[ -e ${folder}/says/$n ] || n=${envelopes.length}`,
    `cat ${folder}/says/$n`,
  ]
  script(join(folder, 'scope'), `${text.join('\n')}\n`)
  return folder
}

const pathOf = (folder: string) => ({ PATH: `${folder}:${toolPath()}` })
const calls = (folder: string) => read(folder, 'calls').trim().split('\n')
const task = (folder: string, ...args: string[]): Finished =>
  run('loop', ['run', 'do it', '--with', 'claude', ...args], { cwd: tempFolder('task'), env: pathOf(folder) })

describe('loop run with an agent', () => {
  it('calls scope run, and takes its answer for what the agent says', () => {
    const folder = scopeWith([{ ...done, text: 'not yet' }, done])
    expect(task(folder, '--timeout', '90s')).toMatchObject({ code: 0, stdout: 'task  complete\n' })
    const asked = /^run --agent claude --json --timeout 90000ms --settings \S+\/claude-settings\.json$/
    expect(calls(folder)).toEqual(Array(2).fill(expect.stringMatching(asked)))
  })

  it.each([
    ['fresh', [undefined, undefined, undefined]],
    ['continue', [undefined, 's1', 's2']],
    ['hybrid:2', [undefined, 's1', undefined]],
  ] as const)('resumes its session as --context %s says', (context, sessions) => {
    const quiet = { ...done, text: 'go on' }
    const folder = scopeWith([{ ...quiet, session: 's1' }, { ...quiet, session: 's2' }, done])
    expect(task(folder, '--context', context).code).toBe(0)
    expect(calls(folder).map((call) => / --resume (.*)$/.exec(call)?.[1])).toEqual(sessions)
  })

  it('counts tokens and dollars, and ends when they are spent', () => {
    const folder = scopeWith([
      { ...done, text: 'go on', usage: { input_tokens: 900, output_tokens: 200, cached_tokens: 0 }, cost_usd: 0.4 },
    ])
    expect(task(folder, '--budget', '2k', '--max-iterations', '9')).toMatchObject({
      code: 9,
      stdout: 'task  gave-up  its 2000 tokens are spent\n',
    })
    expect(calls(folder)).toHaveLength(2)
    expect(task(folder, '--budget', '0.3usd')).toMatchObject({
      code: 9,
      stdout: 'task  gave-up  its 0.3 USD are spent\n',
    })
    expect(calls(folder)).toHaveLength(3)
  })

  it('shares a budget among the issues of a run, and takes no more when it is spent', () => {
    const folder = scopeWith(
      [{ ...done, usage: { input_tokens: 600, output_tokens: 0, cached_tokens: 0 } }],
      'echo $LOOP_ISSUE > f-$LOOP_ISSUE',
    )
    const at = place()
    const ids = ['a', 'b', 'c', 'd'].map((title) => at.issue(title))
    const finished = run('loop', ['run', '--issues', '--with', 'claude', '--verify', 'true', '--budget', '1k'], {
      cwd: at.root,
      env: pathOf(folder),
    })
    expect(finished.code).toBe(9)
    expect(finished.stderr).toContain('the run took no more: its 1000 tokens are spent')
    expect(landedIds(at.root)).toEqual(ids.slice(0, 2))
    expect(show(at.root, ids[2] ?? '').status).toBe('open')
    expect(leftovers(at.root)).toEqual([])
  })

  it('waits when it is limited, until a minute after the limit ends or with a backoff, without an iteration', () => {
    const limited = { ...done, text: '', outcome: 'failed', exit_code: 1 }
    const folder = scopeWith([
      { ...limited, limit: { kind: 'rate', resets_at: Date.now() - 60_000 } },
      { ...limited, limit: { kind: 'rate', resets_at: null } },
      done,
    ])
    const cwd = tempFolder('task')
    const finished = run('loop', ['run', 'x', '--with', 'claude', '--backoff', '10ms', '--jsonl'], {
      cwd,
      env: pathOf(folder),
    })
    expect([finished.code, JSON.parse(finished.stdout)]).toMatchObject([0, { outcome: 'complete', iterations: 1 }])
    expect(finished.stderr.match(/loop: task: claude is limited; waiting until 20/g)).toHaveLength(2)
    expect(events(cwd).filter(({ event }) => event === 'waiting')).toHaveLength(2)
  })

  it('is drained out of such a wait at once, and gives the issue back', async () => {
    const limit = { kind: 'rate', resets_at: Date.now() + 3_600_000 }
    const folder = scopeWith([{ ...done, outcome: 'failed', limit }])
    const at = placeAt(place().root, pathOf(folder))
    const id = at.issue('x')
    const started = start('loop', ['run', '--issues', '--with', 'claude', '--verify', 'true'], {
      cwd: at.root,
      env: pathOf(folder),
    })
    await started.waitFor(/claude is limited; waiting/)
    expect(JSON.parse(at.loop('status', '--json').stdout)).toMatchObject({ workers: [{ phase: 'waiting' }] })
    started.child.kill('SIGINT')
    expect(await started.done).toMatchObject({
      code: 1,
      stdout: `${id}  failed  the run ended while its agent was limited\n`,
    })
    expect(show(at.root, id)).toMatchObject({ status: 'open', claim: null })
    expect(leftovers(at.root)).toEqual([])
  })

  it('stops with 8 when the agent is not signed in', () => {
    const at = place()
    const id = at.issue('x')
    const folder = scopeWith([
      { ...done, outcome: 'failed', limit: { kind: 'auth', resets_at: null }, error: 'no key' },
    ])
    const finished = run('loop', ['run', '--issue', id, '--with', 'claude', '--verify', 'true'], {
      cwd: at.root,
      env: pathOf(folder),
    })
    expect([finished.code, finished.stdout]).toEqual([8, ''])
    expect(finished.stderr).toContain('loop: claude is not signed in: no key; sign in, then run it again\n')
    expect(show(at.root, id)).toMatchObject({ status: 'open', claim: null })
    expect(leftovers(at.root)).toEqual([])
  })

  it.each([
    ['nothing', ''],
    ['something else', 'hello\n'],
    ['another shape', '{"v":2,"outcome":"done"}\n'],
    ['an outcome that is none', '{"v":1,"outcome":"won"}\n'],
  ])('takes %s for a failed iteration', (_, text) => {
    const folder = scopeWith([text, done])
    expect(task(folder, '--jsonl')).toMatchObject({ code: 0, stdout: expect.stringContaining('"iterations":2') })
  })

  it('takes an envelope with wrong details for what is right in it', () => {
    const wrong = {
      ...done,
      session: 7,
      usage: { input_tokens: -1, output_tokens: 'x' },
      cost_usd: 'free',
      limit: 'no',
      error: 5,
      more: [],
    }
    expect(task(scopeWith([wrong]), '--context', 'continue').code).toBe(0)
  })
})

it('an agent that loop calls knows how deep it is', () => {
  const cwd = tempFolder('task')
  const env = { ...cleanEnv(), LOOP_DEPTH: '1' }
  expect(run('loop', ['run', 'x', '--with', 'echo $LOOP_DEPTH > depth'], { cwd, env })).toMatchObject({ code: 0 })
  expect(read(cwd, 'depth')).toBe('2\n')
})
