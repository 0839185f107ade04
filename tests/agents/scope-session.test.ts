import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { agentPlace, knownToClaude } from './agent-place.ts'

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] })

it('Claude Code in a terminal gets its contract once and whole, is seen at work, answers, and goes on', async () => {
  const place = await agentPlace([
    { when: { user: /the odd task/, tools: true }, ...bash('echo made > made.txt') },
    { when: { result: /^/ }, text: 'Made it.' },
    { when: { user: /and now/, tools: true }, text: 'Nothing more.', times: 2 },
    { text: 'A title.', times: 9 },
  ])
  knownToClaude(place)
  onTestFinished(async () => void (await place.run('scope', ['abort', '0'])))
  const task = 'the odd task; "quoted" `ticks` $(no)\n\n  -- indented\tand tabbed \u{1f600}'
  const spawned = await place.run('scope', ['spawn', '-'], task)
  expect(spawned).toMatchObject({ code: 0, stdout: '0\n', stderr: '' })
  const { code, stdout } = await place.run('scope', ['wait', '0', '--timeout', '60s'])
  expect([code, JSON.parse(stdout).results[0]]).toEqual([
    0,
    expect.objectContaining({ status: 'done', result: 'Made it.', backend: 'tmux', turn: 'idle', alive: true }),
  ])
  expect(readFileSync(join(place.repo, 'made.txt'), 'utf8')).toBe('made\n')
  const contract = readFileSync(join(place.repo, '.scope/sessions/0/contract.md'), 'utf8')
  const heard = place.model.requests.filter(({ body }) => JSON.stringify(body).includes('the odd task'))
  const texts = JSON.stringify(heard[0]?.body).split(JSON.stringify(contract).slice(1, -1))
  expect(texts).toHaveLength(2)
  const said = await place.run('scope', ['send', '0', 'and now?'])
  expect(said.code).toBe(0)
  await expect
    .poll(async () => JSON.parse((await place.run('scope', ['poll', '0'])).stdout).result, { timeout: 60_000 })
    .toBe('Nothing more.')
  expect((await place.run('scope', ['abort', '0'])).code).toBe(0)
  const session = async () => JSON.parse((await place.run('scope', ['poll', '0'])).stdout)
  const before = await session()
  expect(before).toMatchObject({ status: 'done', alive: false, turn: null })
  const resumed = await place.run('scope', ['resume', '0', 'and now?'])
  expect([resumed.code, resumed.stderr]).toEqual([0, ''])
  expect((await place.run('scope', ['wait', '0', '--timeout', '60s'])).code).toBe(0)
  expect(await session()).toMatchObject({ status: 'done', turn: 'idle', agent_session: before.agent_session })
  expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('Made it.')
})
