import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AgentPlace, agentPlace, knownToClaude } from './agent-place.ts'

const clients = [
  { agent: 'claude', shell: (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] }) },
  { agent: 'codex', shell: (cmd: string) => ({ calls: [{ name: 'exec_command', input: { cmd } }] }) },
]
const done = 'Made it.\n\n<loop-done>done</loop-done>'

describe.each(clients)('$agent with the hooks of loop and of scope', ({ agent, shell }) => {
  it('is guarded and sent back by the one, and seen by the other', async () => {
    const place = await agentPlace([
      { when: { user: /begin now/, tools: true }, ...shell('git push --force origin main') },
      { when: { result: /force-push/ }, ...shell("loop start 'Make done.txt' --check 'test -e done.txt' --max 10") },
      { when: { result: /loop run/ }, text: 'Begun.' },
      { when: { user: /Iteration 2 of 10/ }, ...shell('touch done.txt') },
      { when: { result: /./ }, text: done },
      { text: 'A title.', times: 9 },
    ])
    knownToClaude(place)
    onTestFinished(async () => void (await place.run('scope', ['abort', '0'])))
    await trustHooks(place)
    expect((await place.run('loop', ['install', agent])).code).toBe(0)
    expect((await place.run('scope', ['setup', '--agent', agent])).code).toBe(0)
    expect((await place.run('scope', ['spawn', 'begin now', '--agent', agent])).code).toBe(0)
    const poll = async () => JSON.parse((await place.run('scope', ['poll', '0'])).stdout)
    await expect.poll(poll, { timeout: 90_000 }).toMatchObject({ status: 'done', turn: 'idle', result: done })
    expect(existsSync(join(place.repo, 'done.txt'))).toBe(true)
    const loop = async () => JSON.parse((await place.run('loop', ['status', '--json'])).stdout).state
    await expect.poll(loop, { timeout: 30_000 }).toBe('finished')
    const { stdout } = await place.run('scope', ['logs', '0', '--json'])
    const results = JSON.parse(stdout).filter(({ event }: { event: string }) => event === 'result')
    expect(results).toHaveLength(2)
  })
})

/** Has Codex run the hooks of its user without asking once whether to trust them. */
async function trustHooks({ home, env, run }: AgentPlace): Promise<void> {
  const bin = join(home, 'bin')
  const { stdout } = await run('sh', ['-c', 'command -v codex'])
  mkdirSync(bin)
  const words = `#!/bin/sh\nexec '${stdout.trim()}' --dangerously-bypass-hook-trust "$@"\n`
  writeFileSync(join(bin, 'codex'), words, { mode: 0o755 })
  env['PATH'] = `${bin}:${env['PATH']}`
}
