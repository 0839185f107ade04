import { appendFileSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, ok, place } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const topics = (root: string, ...under: string[]) => join(root, '.jwz', 'topics', 'loop', ...under)

describe('a task of a session', () => {
  it('is gone on with until its check passes', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'Write b.txt', '--check', 'test -f b.txt', '--max', '5'))
    expect(answered(stop('still at it')).block).toContain('Iteration 2 of 5')
    const failed = answered(stop('so\n<loop-done>done</loop-done>')).block
    expect(failed).toContain('the verify command failed')
    expect(failed).toContain('Write b.txt')
    writeFileSync(join(here.root, 'b.txt'), '')
    expect(answered(stop('<loop-done>done</loop-done>'))).toEqual({
      warning: 'loop: the task is complete after 3 iterations.',
    })
    expect(answered(stop('and now?'))).toEqual({})
    expect(events(here.root).at(-1)).toEqual({ event: 'finished', exit_code: 0 })
  })

  it('ends at its limit, which leaves a signal on the last iteration its due', () => {
    const here = place()
    const one = sessionAt(here, 's-1')
    ok(one.loop('start', 'x', '--max', '1'))
    expect(answered(one.stop('no')).warning).toMatch(/^loop: the task is given up after 1 iteration\. The work is in/)
    ok(one.loop('start', 'x', '--max', '1'))
    expect(answered(one.stop('<loop-done>done</loop-done>')).warning).toContain('complete')
  })

  it('is stuck when turn after turn leaves everything as it was', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x', '--max', '50'))
    const texts = [1, 2, 3, 4].map(() => answered(stop('thinking')))
    expect(texts[2]?.block).toContain('left everything as it was')
    expect(texts[3]?.warning).toContain('stuck')
    expect(run('loop', ['status'], { cwd: here.root }).code).toBe(9)
  })

  it('is stuck when its check fails in the same way again and again', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x', '--max', '50', '--check', 'echo broken; false'))
    const answers = [1, 2, 3].map((n) => {
      writeFileSync(join(here.root, 'n.txt'), String(n))
      ok(loop('signal', 'done'))
      return answered(stop(''))
    })
    expect(answers[1]?.block).toContain('broken')
    expect(answers[2]?.warning).toContain('stuck')
  })

  it('is over at its deadline', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x', '--deadline', '2000-01-01'))
    expect(answered(stop('')).warning).toContain('its time is over')
  })

  it('is over when its tokens are spent, as the transcript counts them', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    const transcript_path = join(here.root, 'transcript.jsonl')
    const say = (id: string, tokens: number, at = Date.now()) => {
      const message = { id, role: 'assistant', usage: { input_tokens: 1, output_tokens: tokens } }
      const line = JSON.stringify({ type: 'assistant', timestamp: new Date(at).toISOString(), message })
      appendFileSync(transcript_path, `${line}\n${line}\n`)
    }
    say('before', 100_000, Date.now() - 60_000)
    ok(loop('start', 'x', '--budget', '1k'))
    say('m-1', 500)
    expect(answered(stop('', { transcript_path })).block).toContain('Iteration 2')
    say('m-2', 300)
    expect(answered(stop('', { transcript_path })).block).toContain('Iteration 3')
    say('m-3', 300)
    expect(answered(stop('', { transcript_path })).warning).toContain('its 1000 tokens are spent')
  })

  it('says its beginning when it is long, and where the rest is', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    writeFileSync(join(here.root, 'task.md'), `${'é'.repeat(30_000)}THE END`)
    const run1 = ok(loop('start', '-F', 'task.md', '--quiet')).stdout.trim()
    const { block = '' } = answered(stop(''))
    expect(Buffer.byteLength(block)).toBeLessThan(8000)
    expect(block).not.toContain('\ufffd')
    expect(block).toContain(`jwz latest loop:goal:${run1}`)
    expect(run('jwz', ['latest', `loop:goal:${run1}`], { cwd: here.root }).stdout).toContain('THE END')
  })

  it('says when the host is about to let go', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1', { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '3' })
    ok(loop('start', 'x'))
    expect(answered(stop('1')).block).not.toContain('the host')
    expect(answered(stop('2', { stop_hook_active: true })).block).toContain('Soon will be the last time')
    writeFileSync(join(here.root, 'n.txt'), '')
    expect(answered(stop('3', { stop_hook_active: true })).block).toContain('This is the last time that the host')
  })
})

describe('whose loop it is', () => {
  it('is never moved by another session, an unknown one, or a subagent', () => {
    const here = place()
    const a = sessionAt(here, 's-a')
    const b = sessionAt(here, 's-b')
    ok(a.loop('start', 'of a'))
    ok(b.loop('start', 'of b'))
    expect(answered(a.stop('')).block).toContain('of a')
    expect(answered(b.stop('')).block).toContain('of b')
    const before = events(here.root).length
    for (const id of ['', '..', '../s-a', 'S-A', 'x'.repeat(5000)]) {
      expect(answered(sessionAt(here, id).stop('<loop-done>done</loop-done>')).block).toBeUndefined()
    }
    expect(answered(a.stop('<loop-done>done</loop-done>', { agent_id: 'sub' }))).toEqual({})
    expect(events(here.root).length).toBe(before)
  })

  it('is left alone while background work goes on, and when it is switched off', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x'))
    const before = events(here.root).length
    expect(answered(stop('', { background_tasks: [{ id: 'b', status: 'running' }] }))).toEqual({})
    expect(answered(sessionAt(here, 's-1', { LOOP_DISABLE: '1' }).stop(''))).toEqual({})
    expect(answered(sessionAt(here, 's-1', { IDLE_LOOP_DISABLE: '1' }).stop(''))).toEqual({})
    expect(events(here.root).length).toBe(before)
    expect(answered(stop('')).block).toContain('Iteration 2')
  })

  it('is that of the session which says its claim, once', () => {
    const here = place()
    const claim = /loop-claim-\S+/.exec(ok(here.loop('start', 'unowned')).stdout)?.[0] ?? ''
    expect(answered(sessionAt(here, 's-1').stop(`I take it on:\n${claim}`)).block).toContain('unowned')
    expect(answered(sessionAt(here, 's-2').stop(claim))).toEqual({})
    expect(answered(sessionAt(here, 's-1').stop('')).block).toContain('Iteration 3')
  })

  it('is paused with a word to the person when it was silent for too long, until it is resumed', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x'))
    const old = new Date(Date.now() - 3 * 3_600_000)
    utimesSync(topics(here.root, 'session', 'claude', 's-1.jsonl'), old, old)
    expect(run('loop', ['status', '--json'], { cwd: here.root })).toMatchObject({
      code: 9,
      stdout: expect.stringContaining('"state":"stale"'),
    })
    expect(answered(stop('')).warning).toMatch(/silent for too long.*loop resume/)
    expect(answered(stop(''))).toEqual({})
    ok(loop('resume'))
    expect(answered(stop('')).block).toContain('Iteration 2')
  })

  it('goes to another session that resumes what a silent one left', () => {
    const here = place()
    ok(sessionAt(here, 's-1').loop('start', 'x'))
    const other = sessionAt(here, 's-2')
    expect(other.loop('resume')).toMatchObject({ code: 5 })
    const old = new Date(Date.now() - 3 * 3_600_000)
    utimesSync(topics(here.root, 'session', 'claude', 's-1.jsonl'), old, old)
    ok(other.loop('resume'))
    expect(answered(other.stop('')).block).toContain('Iteration 2')
    expect(answered(sessionAt(here, 's-1').stop(''))).toEqual({})
  })
})

describe('nested tasks', () => {
  it('resume the one around them when they end', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'outer'))
    ok(loop('start', 'inner'))
    ok(loop('start', 'innermost'))
    const stack = JSON.parse(ok(run('jwz', ['latest', 'loop:current', '--json'], { cwd: here.root })).stdout).data.stack
    expect(stack.map(({ mode, iter }: { mode: string; iter: number }) => [mode, iter])).toEqual(
      [1, 2, 3].map(() => ['task', 1]),
    )
    ok(loop('signal', 'done'))
    expect(answered(stop('')).block).toMatch(/complete after 1 iteration[\s\S]*Iteration 1 of 10[\s\S]*inner/)
    expect(answered(stop('')).block).toContain('Iteration 2 of 10')
    ok(loop('signal', 'stuck', '--note', 'no key'))
    expect(answered(stop('')).block).toMatch(/stuck[\s\S]*no key[\s\S]*Iteration 1 of 10[\s\S]*outer/)
    ok(loop('signal', 'nothing'))
    expect(answered(stop('')).warning).toContain('complete')
  })
})

describe('from another terminal', () => {
  it('a run is steered, paused, resumed and cancelled', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x', '--max', '50'))
    ok(here.loop('steer', 'mind the tests', '--as', 'eve'))
    expect(answered(stop('<loop-done>done</loop-done>')).block).toContain('mind the tests')
    ok(here.loop('pause'))
    expect(answered(stop('')).warning).toContain('is paused by')
    expect(here.loop('status', '--json')).toMatchObject({
      code: 9,
      stdout: expect.stringContaining('"state":"paused"'),
    })
    ok(here.loop('steer', 'later'))
    expect(answered(stop(''))).toEqual({})
    ok(here.loop('resume'))
    expect(answered(stop('')).block).toContain('later')
    ok(here.loop('cancel', '-m', 'enough'))
    expect(answered(stop('')).warning).toContain('cancelled after 3 iterations: enough')
    expect(here.loop('cancel')).toMatchObject({ code: 3, stdout: '' })
  })

  it('one of several has to be named', () => {
    const here = place()
    ok(sessionAt(here, 's-1').loop('start', 'one'))
    ok(sessionAt(here, 's-2').loop('start', 'two'))
    expect(here.loop('pause')).toMatchObject({ code: 4, stdout: '' })
    expect(here.loop('pause', '--run', 'zzz')).toMatchObject({ code: 3 })
    const lines = ok(here.loop('cancel', '--all', '--jsonl'))
      .stdout.trim()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line).answer)).toEqual([null, null])
  })

  it('one that its session left is cancelled at once', () => {
    const here = place()
    ok(sessionAt(here, 's-1').loop('start', 'x'))
    const old = new Date(Date.now() - 3 * 3_600_000)
    utimesSync(topics(here.root, 'session', 'claude', 's-1.jsonl'), old, old)
    expect(JSON.parse(ok(here.loop('cancel', '--json')).stdout)[0]).toMatchObject({ answer: 'cancelled' })
    expect(here.loop('status').code).toBe(3)
  })
})

describe('when the bus is', () => {
  it('removed in the middle, the agent is let go', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x', '--check', 'rm -rf .jwz'))
    ok(loop('signal', 'done'))
    expect(answered(stop('')).warning).toMatch(/the bus .* was removed/)
    expect(answered(stop(''))).toEqual({})
  })

  it('cut off or damaged at the end, what was there before counts', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x'))
    for (const folder of [topics(here.root, 'run'), topics(here.root, 'session', 'claude')]) {
      for (const name of readdirSync(folder)) appendFileSync(join(folder, name), '{"v":1,"id":"01')
    }
    expect(answered(stop('')).block).toContain('Iteration 2')
  })

  it('without the record of a run, its session is let go with a word', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'x'))
    rmSync(topics(here.root, 'run'), { recursive: true })
    expect(answered(stop('')).warning).toContain('is gone')
    expect(answered(stop(''))).toEqual({})
  })

  it('locked by another hook, that one answers', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    const id = ok(loop('start', 'x', '--quiet')).stdout.trim()
    mkdirSync(topics(here.root, 'run', `${id}.turn.lock`))
    writeFileSync(topics(here.root, 'run', `${id}.turn.lock`, 'x'), '')
    expect(answered(stop('')).block).toBeUndefined()
  })
})
