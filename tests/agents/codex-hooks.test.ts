import { describe, expect, it } from 'vitest'
import { agentPlace } from './agent-place.ts'

const shell = (cmd: string) => ({ calls: [{ name: 'exec_command', input: { cmd } }] })
const exec = ['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check']

describe('hooks in Codex', () => {
  it('deny a forbidden command with the reason of its rule, and let an innocent one run', async () => {
    const place = await agentPlace([
      shell('echo all-$((40 + 2))'),
      { when: { result: /all-42/ }, ...shell('git push --force origin main') },
      { when: { result: /force-push/ }, text: 'Understood.' },
    ])
    await place.run('loop', ['install', 'codex'])
    expect(await place.run('codex', [...exec, 'go'])).toMatchObject({ code: 0, stdout: 'Understood.\n' })
    expect(place.model.requests.map(({ turn }) => turn)).toEqual([0, 1, 2])
    expect(place.model.requests[2]?.results.join()).toMatch(/Command blocked by PreToolUse hook: .*git\.force-push/s)
  })

  it('send the agent back until the check passes', async () => {
    const place = await agentPlace([
      { when: { user: /^begin$/m }, ...shell("loop start 'Make done.txt' --check 'test -e done.txt' --max 10") },
      { when: { result: /loop run/ }, text: 'Begun.' },
      { when: { user: /Iteration 2 of 10/ }, text: 'Done.\n\n<loop-done>done</loop-done>' },
      { when: { user: /Iteration 3 of 10/ }, ...shell('touch done.txt') },
      { when: { result: /./ }, text: 'Made it.\n\n<loop-done>done</loop-done>' },
    ])
    await place.run('loop', ['install', 'codex'])
    const ended = await place.run('codex', [...exec, 'begin'])
    expect(place.model.requests.map(({ turn }) => turn)).toEqual([0, 1, 2, 3, 4])
    expect(ended.stdout).toContain('Made it.')
    expect(JSON.parse((await place.run('loop', ['status', '--json'])).stdout).state).toBe('finished')
  })
})
