import { describe, expect, it } from 'vitest'
import { agentPlace } from './agent-place.ts'

describe('the real clients', () => {
  it('Claude Code says what the script says, in one request that offers tools', async () => {
    const { run, model } = await agentPlace([{ when: { user: /say hi/, tools: true }, text: 'Hi from the script.' }])
    const said = await run('claude', ['-p', 'say hi'])
    expect(said).toMatchObject({ code: 0, stdout: 'Hi from the script.\n' })
    expect(model.requests.map(({ protocol, turn }) => [protocol, turn])).toEqual([['anthropic', 0]])
  })

  it('Claude Code runs a tool and sends its result back', async () => {
    const { run, model } = await agentPlace([
      { when: { user: /look/ }, calls: [{ name: 'Bash', input: { command: 'echo seen-$((40 + 2))' } }] },
      { when: { result: /seen-42/ }, text: 'Seen.' },
    ])
    const said = await run('claude', ['-p', 'look', '--dangerously-skip-permissions'])
    expect(said).toMatchObject({ code: 0, stdout: 'Seen.\n' })
    expect(model.requests.map(({ turn }) => turn)).toEqual([0, 1])
  })

  it('Claude Code waits out a limit and tries again', async () => {
    const { run, model } = await agentPlace([
      { refuse: { status: 429, headers: { 'retry-after': '1' } } },
      { text: 'After all.' },
    ])
    expect(await run('claude', ['-p', 'say hi'])).toMatchObject({ code: 0, stdout: 'After all.\n' })
    expect(model.requests.map(({ turn }) => turn)).toEqual([0, 1])
  })

  it('Codex says what the script says, and runs a tool', async () => {
    const { run, model } = await agentPlace([
      { when: { user: /look/ }, calls: [{ name: 'exec_command', input: { cmd: 'echo seen-$((40 + 2))' } }] },
      { when: { result: /seen-42/ }, text: 'Seen.' },
    ])
    const said = await run('codex', ['exec', '--skip-git-repo-check', '-o', 'last.txt', 'look'])
    expect(said).toMatchObject({ code: 0, stdout: 'Seen.\n' })
    expect(model.requests.map(({ protocol, turn }) => [protocol, turn])).toEqual([
      ['responses', 0],
      ['responses', 1],
    ])
  })
})
