import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { agentPlace, knownToClaude } from './agent-place.ts'

const make = "echo made > made.txt && git add made.txt && git commit -qm 'Make it' && echo committed"

const clients = [
  { agent: 'claude', access: 'write', call: { name: 'Bash', input: { command: make } } },
  // Its own sandbox keeps it from writing the repository's folder of git.
  { agent: 'codex', access: 'full', call: { name: 'exec_command', input: { cmd: make } } },
]

describe.each(clients)('$agent in a worktree of its own', ({ agent, access, call }) => {
  it('begins without a question, and its work is taken over', async () => {
    const place = await agentPlace(
      [
        { when: { user: /make it/, tools: true }, calls: [call] },
        { when: { result: /committed/ }, text: 'Made it.' },
        { text: 'A title.', times: 9 },
      ],
      { 'a.txt': 'a' },
    )
    knownToClaude(place)
    onTestFinished(async () => void (await place.run('scope', ['abort', '0'])))
    const flags = ['--worktree', '--agent', agent, '--access', access]
    expect((await place.run('scope', ['spawn', 'make it', ...flags])).code).toBe(0)
    const { stdout } = await place.run('scope', ['wait', '0', '--needs-input', '--timeout', '60s'])
    expect(JSON.parse(stdout).results).toMatchObject([{ status: 'done', result: 'Made it.', backend: 'tmux' }])
    expect(git(place.repo, 'log', '-1', '--format=%s', 'scope/0').trim()).toBe('Make it')
    await place.run('scope', ['abort', '0'])
    expect(await place.run('scope', ['worktree', 'merge', '0'])).toMatchObject({ code: 0 })
    expect(readFileSync(join(place.repo, 'made.txt'), 'utf8')).toBe('made\n')
  })
})
