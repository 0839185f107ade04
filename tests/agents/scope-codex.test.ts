import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type AgentPlace, agentPlace, processesOf } from './agent-place.ts'

const shell = (cmd: string) => ({ calls: [{ name: 'exec_command', input: { cmd } }] })

const scopeIn = (place: AgentPlace) => {
  onTestFinished(async () => void (await place.run('scope', ['abort', '0'])))
  return {
    scope: (...words: readonly string[]) => place.run('scope', words),
    poll: async () => JSON.parse((await place.run('scope', ['poll', '0'])).stdout),
  }
}

it('Codex in a terminal gets its contract once and whole, is seen at work, answers, and goes on', async () => {
  const place = await agentPlace([
    {
      when: { user: /the odd task/, tools: true },
      ...shell('echo made > made.txt; while [ ! -e go ]; do sleep 0.1; done'),
    },
    { when: { result: /./ }, text: 'Made it.' },
    { when: { user: /and now/, tools: true }, text: 'Nothing more.', times: 2 },
    { text: 'A title.', times: 9 },
  ])
  const { scope, poll } = scopeIn(place)
  const task = 'the odd task; "quoted" `ticks` $(no)\n\n  -- indented\tand tabbed \u{1f600}'
  expect(await place.run('scope', ['spawn', '-', '--agent', 'codex'], task)).toMatchObject({
    ...{ code: 0, stdout: '0\n', stderr: '' },
  })
  await expect
    .poll(poll, { timeout: 60_000 })
    .toMatchObject({ turn: 'busy', activity: expect.stringMatching(/^running: echo made > made.txt/) })
  await place.run('touch', ['go'])
  const { code, stdout } = await scope('wait', '0', '--timeout', '60s')
  expect([code, JSON.parse(stdout).results[0]]).toEqual([
    0,
    expect.objectContaining({
      ...{ status: 'done', result: 'Made it.', backend: 'tmux', turn: 'idle', alive: true },
      tokens: expect.objectContaining({ output_tokens: expect.any(Number) }),
    }),
  ])
  expect(readFileSync(join(place.repo, 'made.txt'), 'utf8')).toBe('made\n')
  const contract = readFileSync(join(place.repo, '.scope/sessions/0/contract.md'), 'utf8')
  const heard = place.model.requests.filter(({ body }) => JSON.stringify(body).includes('the odd task'))
  expect(JSON.stringify(heard[0]?.body).split(JSON.stringify(contract).slice(1, -1))).toHaveLength(2)
  expect((await scope('send', '0', 'and now?')).code).toBe(0)
  await expect.poll(async () => (await poll()).result, { timeout: 60_000 }).toBe('Nothing more.')
  expect((await scope('abort', '0')).code).toBe(0)
  const before = await poll()
  expect(before).toMatchObject({ status: 'done', alive: false, turn: null })
  expect(processesOf(place)).toEqual([])
  expect(await scope('resume', '0', 'and now?')).toMatchObject({ code: 0, stderr: '' })
  expect((await scope('wait', '0', '--timeout', '60s')).code).toBe(0)
  expect(await poll()).toMatchObject({ status: 'done', turn: 'idle', agent_session: before.agent_session })
  const asked = place.model.requests.filter(({ tools }) => tools.length > 0)
  expect(JSON.stringify(asked.at(-1)?.body)).toContain('Made it.')
})

it('a hook that its user has not trusted is not run because those of scope are', async () => {
  const place = await agentPlace([
    { when: { user: /look/, tools: true }, text: 'Looked.' },
    { text: 'A title.', times: 9 },
  ])
  await place.run('sh', ['-c', 'mkdir .codex'])
  await place.run('node', ['-e', writesHooks, join(place.repo, '.codex/hooks.json'), join(place.repo, 'ran')])
  const { scope, poll } = scopeIn(place)
  expect((await scope('spawn', 'look', '--agent', 'codex')).code).toBe(0)
  expect((await scope('wait', '0', '--timeout', '60s', '--needs-input')).code).toBe(0)
  expect((await poll()).needs_input).toMatch(/^before it begins, it asks: Hooks need review/)
  expect(existsSync(join(place.repo, 'ran'))).toBe(false)
})

const writesHooks = `const [path, ran] = process.argv.slice(1)
const hooks = [{ hooks: [{ type: 'command', command: 'touch ' + ran }] }]
require('fs').writeFileSync(path, JSON.stringify({ hooks: { SessionStart: hooks, UserPromptSubmit: hooks, Stop: hooks } }))`
