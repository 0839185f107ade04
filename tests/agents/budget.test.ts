import type { ToolCall, Turn } from '@switchyard/model-server/script'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AgentPlace, agentPlace, knownToClaude, processesOf } from './agent-place.ts'

/** A model that would go on for ever: each answer, of 110 tokens, runs another command. */
const endless = (call: ToolCall): Turn[] => [
  { when: { user: /work on/, tools: true }, calls: [call] },
  { when: { result: /^/ }, calls: [call], times: 500 },
  { text: 'A title.', times: 9 },
]

const clients = [
  { agent: 'claude', call: { name: 'Bash', input: { command: 'sleep 0.2; echo on' } } },
  { agent: 'codex', call: { name: 'exec_command', input: { cmd: 'sleep 0.2; echo on' } } },
]

async function ended({ run }: AgentPlace) {
  const { code, stdout } = await run('scope', ['wait', '0', '--timeout', '90s'])
  return { code, session: JSON.parse(stdout).results[0] }
}

describe.each(clients)('a session of $agent with a budget', ({ agent, call }) => {
  it.each(['headless', 'tmux'])('is ended while it works: %s', async (backend) => {
    const place = await agentPlace(endless(call))
    knownToClaude(place)
    onTestFinished(async () => void (await place.run('scope', ['abort', '0'])))
    const flags = ['--agent', agent, '--max-tokens', '1000', ...(backend === 'headless' ? ['--headless'] : [])]
    expect(await place.run('scope', ['spawn', 'work on', ...flags])).toMatchObject({ code: 0, stderr: '' })
    const { code, session } = await ended(place)
    expect([code, session]).toEqual([9, expect.objectContaining({ status: 'failed', limit: 'tokens', backend })])
    expect(session.exit_reason).toMatch(/^it has spent \d+ tokens, and 1000 are allowed$/)
    expect(session.tokens.input_tokens + session.tokens.output_tokens).toBeGreaterThan(1000)
    await expect.poll(() => processesOf(place)).toEqual([])
  })
})

it('Claude Code ends itself at what it may spend', async () => {
  const place = await agentPlace(endless({ name: 'Bash', input: { command: 'echo on' } }))
  const { code, stdout } = await place.run(
    'scope',
    ['run', '--agent', 'claude', '--max-cost', '0.001', '--json'],
    'work on',
  )
  expect([code, JSON.parse(stdout)]).toEqual([
    9,
    expect.objectContaining({ outcome: 'failed', limit: { kind: 'budget', resets_at: null } }),
  ])
  expect(JSON.parse(stdout).cost_usd).toBeGreaterThan(0.0009)
})
