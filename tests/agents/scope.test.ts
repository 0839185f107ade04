import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AgentPlace, agentPlace } from './agent-place.ts'

const clients = [
  { agent: 'claude', shell: (command: string) => ({ name: 'Bash', input: { command } }) },
  { agent: 'codex', shell: (command: string) => ({ name: 'exec_command', input: { cmd: command } }) },
]

async function scope({ run }: AgentPlace, agent: string, prompt: string, ...flags: string[]) {
  const { code, stdout, stderr } = await run('scope', ['run', '--agent', agent, '--json', ...flags], prompt)
  return { code, stderr, ...JSON.parse(stdout) }
}

describe.each(clients)('scope run --agent $agent', ({ agent, shell }) => {
  it('gives a prompt, reads the answer, and goes on in the session', async () => {
    const place = await agentPlace([
      { when: { user: /--first/ }, text: 'The first answer.' },
      { when: { user: /second/ }, text: 'The second answer.' },
    ])
    const first = await scope(place, agent, '--first\n"line"\n')
    expect(first).toMatchObject({ code: 0, outcome: 'done', text: 'The first answer.', limit: null, error: null })
    expect(first.usage).toMatchObject({ input_tokens: 100, output_tokens: 10 })
    expect(first.session).toMatch(/^[0-9a-f-]{36}$/)
    expect(first.cost_usd).toEqual(agent === 'claude' ? expect.any(Number) : null)
    const second = await scope(place, agent, 'second', '--resume', first.session, '--access', 'read')
    expect(second).toMatchObject({ code: 0, text: 'The second answer.', session: first.session })
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('The first answer.')
  })

  it('lets it change files and run commands in its folder', async () => {
    const place = await agentPlace([
      { when: { user: /make/ }, calls: [shell('echo made > made.txt && cat made.txt')] },
      { when: { result: /made/ }, text: 'Made.' },
    ])
    expect(await scope(place, agent, 'make it')).toMatchObject({
      code: 0,
      text: 'Made.',
    })
    expect(readFileSync(join(place.repo, 'made.txt'), 'utf8')).toBe('made\n')
  })

  it('keeps it from changing files when it may only read', async () => {
    const place = await agentPlace([
      { when: { user: /make/ }, calls: [shell('echo made > made.txt')] },
      { text: 'I may not.' },
    ])
    expect(await scope(place, agent, 'make it', '--access', 'read')).toMatchObject({ code: 0, text: 'I may not.' })
    expect(existsSync(join(place.repo, 'made.txt'))).toBe(false)
  })

  it('says why it failed', async () => {
    const refuse = { status: 400, message: 'that is not a question' }
    const place = await agentPlace([{ refuse, times: 20 }])
    const failed = await scope(place, agent, 'what')
    expect(failed).toMatchObject({ code: 8, outcome: 'failed', text: '', limit: null })
    expect(failed.error).toContain('that is not a question')
  })

  it('says that it is out of its limit', async () => {
    const refuse = { status: 429, message: 'rate limit', headers: { 'x-should-retry': 'false' } }
    const place = await agentPlace([{ refuse, times: 50 }])
    const failed = await scope(place, agent, 'what', '--timeout', '60s')
    expect(failed).toMatchObject({ code: 8, outcome: 'failed', limit: { kind: 'rate' } })
  })
})
