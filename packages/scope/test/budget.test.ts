import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { envelopeSchema } from '../src/envelope-schema.ts'
import { isGone, sessions, until } from './sessions.ts'
import { ran, verdictsOf, write } from './workflows.ts'

/** A line by which Claude Code tells what an answer took: 1,000 tokens in all. */
const answer = (id: string) =>
  `echo '{"type":"assistant","message":{"id":"${id}","usage":{"input_tokens":300,"cache_read_input_tokens":600,"output_tokens":100}}}'`

describe('scope spawn with a budget', () => {
  it('ends an agent that spends more while it works, with all that it started, and says by which limit', async () => {
    const at = sessions({ act: `${answer('m1')}; ${answer('m1')}; setsid sleep 600 & ${answer('m2')}; sleep 600` })
    const { code, stdout, stderr } = at.scope(['spawn', 'Work', '--max-tokens', '1500', '--max-cost', '9', '--wait'])
    expect([code, stdout]).toEqual([9, ''])
    const reason = 'it has spent 2000 tokens, and 1500 are allowed'
    expect(stderr).toBe(`scope: session 0 is failed: ${reason}\n`)
    expect(at.heard('0', 'argv').split('\0')).toEqual(
      expect.arrayContaining(['--output-format=stream-json', '--verbose', '--max-budget-usd=9']),
    )
    expect(isGone(Number(at.heard('0', 'pid')))).toBe(true)
    expect(at.poll('0')).toMatchObject({
      ...{ status: 'failed', limit: 'tokens', exit_reason: reason, cost_usd: null },
      ...{ budget: { max_cost_usd: 9, max_tokens: 1500 }, tokens: { input_tokens: 1800, output_tokens: 200 } },
    })
    expect([at.file('0', 'state'), at.file('0', 'exit_reason')]).toEqual(['failed\n', `${reason}\n`])
    expect(at.wait('0').code).toBe(9)
    expect(at.inStore('live')).toEqual([])
  })

  it('has failed also where that is known only at its end; the result stays, and resume wants it to be allowed more', () => {
    const at = sessions()
    at.scope(['config', 'types.explore.max_cost', '0.3'])
    const id = at.spawn('Look', '--type', 'explore')
    expect(at.wait(id)).toMatchObject({ code: 0, waited: { results: [{ cost_usd: 0.25, limit: null }] } })
    expect(at.scope(['resume', id]).code).toBe(0)
    expect(at.wait(id).code).toBe(9)
    expect(at.poll(id)).toMatchObject({ limit: 'cost', exit_reason: 'it has spent 0.5 USD, and 0.3 USD are allowed' })
    expect(at.heard(id, 'argv').split('\0')).toContain('--max-budget-usd=0.05')
    expect(at.scope(['result', id]).stdout).toBe('Done as told.\n')
    const refused = at.scope(['resume', id])
    expect([refused.code, refused.stdout]).toEqual([9, ''])
    expect(refused.stderr).toBe(
      `scope: session ${id} cannot go on: it has spent 0.5 USD, and 0.3 USD are allowed; allow more in all: scope resume ${id} --max-cost …\n`,
    )
    expect(at.scope(['resume', id, '--max-cost', '1']).code).toBe(0)
    expect(at.wait(id)).toMatchObject({ code: 0, waited: { results: [{ limit: null, budget: { max_cost_usd: 1 } }] } })
  })

  it('counts what it started, which goes no further once all is spent', async () => {
    const at = sessions()
    at.agent(
      `case $SCOPE_SESSION_ID in 0) scope spawn Dear --wait >/dev/null; scope spawn Long >/dev/null; while ! test -e long; do sleep 0.05; done; ${answer('m1')}; sleep 600 ;; 0.1) touch long; sleep 600 ;; esac`,
    )
    const { code, waited } = at.wait(at.spawn('Have it done', '--max-tokens', '1040'))
    expect([code, waited.results[0]?.exit_reason]).toEqual([9, 'it has spent 1044 tokens, and 1040 are allowed'])
    expect(at.wait('0.1').code).toBe(5)
    expect(at.poll('0.1').exit_reason).toBe('session 0 has spent more than it may')
    expect(at.poll('0.0')).toMatchObject({ status: 'done', budget: null })
    await until(() => isGone(Number(at.heard('0.1', 'pid'))), 'its child to be ended')
  })

  it('is shown by --dry-run, with what the agent is told of it', () => {
    const at = sessions()
    const plan = (...words: readonly string[]) =>
      JSON.parse(at.scope(['spawn', 'x', '--dry-run', '--json', ...words]).stdout)
    expect(plan()).toMatchObject({ budget: null, command: expect.arrayContaining(['--output-format=json']) })
    expect(plan('--max-cost', '0.5', '--checker', 'true')).toMatchObject({
      budget: { max_cost_usd: 0.5, max_tokens: null },
      command: expect.arrayContaining(['--max-budget-usd=0.5']),
    })
  })

  it('is that of all members of a loop together', () => {
    const at = sessions()
    at.agent('', { '*-check': 'VERDICT: RETRY' })
    const { code, waited } = at.wait(at.spawn('Work', '--checker', 'agent: Is it good?', '--max-cost', '0.6'))
    expect([code, waited.results[0]?.limit]).toEqual([9, 'cost'])
    expect(waited.results[0]?.exit_reason).toBe('it has spent 0.75 USD, and 0.6 USD are allowed')
    expect(at.poll('0').children).toEqual(['0-0-do', '0-0-check', '0-1-do'])
    expect(at.poll('0-1-do')).toMatchObject({ status: 'failed', limit: 'cost', budget: { max_cost_usd: 0.1 } })
    expect(at.scope(['resume', '0', '--max-cost', '2', '--max-iterations', '2']).code).toBe(0)
    expect(at.wait('0')).toMatchObject({ code: 9, waited: { results: [{ limit: null, loop: { iteration: 1 } }] } })
  })

  it('goes by the transcript that Codex writes while it works, from where the turn began', () => {
    const home = tempFolder('codex')
    const at = sessions({ env: { CODEX_HOME: home } })
    const folder = join(home, 'sessions', '2026', '11', '24')
    const total = (input: number) =>
      `echo '{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":${input},"cached_input_tokens":0,"output_tokens":0}}}}' >>'${folder}/rollout-2026-thread-1.jsonl'`
    const begin = `cat >/dev/null; mkdir -p '${folder}'; echo '{"type":"thread.started","thread_id":"thread-1"}'`
    at.script(
      'codex',
      `${begin}; ${total(900)}; echo '{"type":"turn.completed","usage":{"input_tokens":900,"output_tokens":0}}'`,
    )
    const id = at.spawn('Work', '--agent', 'codex', '--max-tokens', '1500', '--headless')
    expect(at.wait(id).code).toBe(0)
    at.script('codex', `${begin}; ${total(900)}; ${total(1500)}; ${total(1700)}; sleep 600`)
    expect(at.scope(['resume', id]).code).toBe(0)
    expect(at.wait(id).code).toBe(9)
    expect(at.poll(id)).toMatchObject({
      ...{ exit_reason: 'it has spent 1700 tokens, and 1500 are allowed', limit: 'tokens' },
      tokens: { input_tokens: 1700 },
    })
  })

  it('takes the word of an agent that has ended itself', () => {
    const at = sessions()
    at.write(
      'says',
      '{"type":"result","subtype":"error_max_budget_usd","is_error":true,"errors":["Reached maximum budget ($1)"],"total_cost_usd":1,"session_id":"c"}\n',
    )
    at.agent('cat says; exit 1')
    const { code, waited } = at.wait(at.spawn('Work', '--max-cost', '1'))
    expect([code, waited.results[0]?.limit, waited.results[0]?.cost_usd]).toEqual([9, 'cost', 1])
    expect(waited.results[0]?.exit_reason).toBe(
      'its agent has stopped at what it may spend: Reached maximum budget ($1)',
    )
    const once = at.scope(
      ['run', '--agent', 'claude', '--max-cost', '1', '--json'],
      { input: 'hi' },
      { SCOPE_SESSION_ID: '9' },
    )
    expect([once.code, envelopeSchema.parse(JSON.parse(once.stdout)).limit?.kind]).toEqual([9, 'budget'])
  })

  it('says where an agent does not tell what it spends', () => {
    const at = sessions()
    at.script('codex', `cat >/dev/null; echo '{"type":"turn.completed","usage":{"input_tokens":5,"output_tokens":5}}'`)
    const told = (...words: readonly string[]) => at.scope(['spawn', 'x', '--agent', 'codex', ...words]).stderr
    expect(told('--max-cost', '1')).toBe(
      'scope: codex does not tell what it costs: --max-cost does not end it; --max-tokens does\n',
    )
    expect(told('--max-cost', '1', '--max-tokens', '100')).toBe('')
    expect(told()).toBe('')
  })

  it.each([['0'], ['-1'], ['much'], ['1e9'], ['0x1'], ['']])('refuses --max-cost %j', (cost) => {
    const at = sessions()
    for (const verb of [
      ['spawn', 'x'],
      ['run', '--agent', 'claude'],
    ]) {
      const { code, stdout, stderr } = at.scope([...verb, '--max-cost', cost], { input: 'x' })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toBe(`scope: expected --max-cost to be US dollars such as 0.5, got ${JSON.stringify(cost)}\n`)
    }
  })
})

describe('scope run with a budget', () => {
  const once = (at: ReturnType<typeof sessions>, ...words: readonly string[]) =>
    at.scope(['run', ...words], { input: 'hi' }, { SCOPE_SESSION_ID: '9' })

  it('ends its agent while it works, with exit 9 and what it has spent in the envelope', () => {
    const at = sessions({ act: `${answer('m1')}; sleep 600` })
    const ended = once(at, '--agent', 'claude', '--max-tokens', '999', '--json')
    expect(ended.code).toBe(9)
    const reason = 'it has spent 1000 tokens, and 999 are allowed'
    expect(envelopeSchema.parse(JSON.parse(ended.stdout))).toMatchObject({
      ...{ outcome: 'failed', error: reason, limit: { kind: 'budget', resets_at: null } },
      usage: { input_tokens: 900, output_tokens: 100, cached_tokens: 600 },
    })
    expect(JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'limit',
      retryable: false,
    })
    expect(isGone(Number(at.heard('9', 'pid')))).toBe(true)
  })

  it('counts all tries together, prints the answer of one that came to its end, and goes by a profile', () => {
    const at = sessions()
    for (const [name, value] of [
      ['agent', 'claude'],
      ['max_cost', '0.2'],
    ])
      at.scope(['config', `profiles.cheap.${name}`, value ?? ''])
    const done = once(at, '--profile', 'cheap')
    expect([done.code, done.stdout]).toEqual([9, 'Done as told.\n'])
    expect(done.stderr).toContain('claude was ended: it has spent 0.25 USD, and 0.2 USD are allowed')
    expect(once(at, '--profile', 'cheap', '--max-cost', '0.25').code).toBe(0)
    at.write(
      'refusal',
      '{"type":"result","is_error":true,"api_error_status":429,"result":"Rate limit. Try again in 1s","total_cost_usd":0.2}\n',
    )
    at.agent('cat refusal; exit 1')
    const tried = once(at, '--agent', 'claude', '--max-cost', '0.3', '--retries', '5', '--json')
    expect([tried.code, JSON.parse(tried.stdout).tries]).toEqual([9, 2])
  })

  it('refuses a command, which tells nothing', () => {
    const { code, stdout, stderr } = once(sessions(), '--max-tokens', '5', '--', 'cat')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('expected no --max-cost or --max-tokens with a command')
  })
})

describe('a phase of a workflow', () => {
  it('has a budget, over which it is not tried again; the workflow ends with 9', () => {
    const at = sessions()
    const flow = write(
      at,
      `const wf = new Workflow('w'); wf.phase('a', { task: 'A', max_cost: 0.2, on_fail: 'retry:3' }); wf.phase('b', { task: 'B' }); await wf.run()`,
    )
    const { code, run } = ran(at, [flow])
    expect([code, run.outcome, verdictsOf(run)]).toEqual([9, 'limit', ['a budget']])
    expect(run.phases[0]).toMatchObject({ attempt: 0, exit_reason: 'it has spent 0.25 USD, and 0.2 USD are allowed' })
  })

  it('goes by kinds of tasks, profiles and limits of the settings, as spawn does', async () => {
    const at = sessions()
    at.script('other', 'cat >/dev/null; echo Other.')
    const settings = {
      ...{ 'types.explore.model': 'haiku', 'profiles.mine.agent': 'mine', 'agents.mine.command': '["other"]' },
      ...{ max_cost: '5', max_running: '1' },
    }
    for (const [name, value] of Object.entries(settings)) expect(at.scope(['config', name, value]).code).toBe(0)
    const flow = write(
      at,
      `const wf = new Workflow('w'); wf.phase('a', { task: 'A', type: 'explore' }); wf.phase('b', { task: 'B', profile: 'mine', parallel: true, max_cost: 1 }); await wf.run()`,
    )
    expect(ran(at, [flow])).toMatchObject({ code: 0 })
    const both = [at.poll('0'), at.poll('1')].map(({ agent, model, budget }) => [agent, model, budget?.max_cost_usd])
    expect(both.sort()).toEqual([
      ['claude', 'haiku', 5],
      ['mine', null, 1],
    ])
    const times = ['0', '1'].map((id) => at.events(id).map((event) => event.at))
    const [first, second] = times.sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0))
    expect(second?.[0]).toBeGreaterThanOrEqual(first?.at(-1) ?? Number.NaN)
    const none = write(
      at,
      `const wf = new Workflow('w'); wf.phase('a', { task: 'A', profile: 'none' }); await wf.run()`,
    )
    expect(at.scope(['workflow', none])).toMatchObject({ code: 3, stdout: '' })
  })
})
