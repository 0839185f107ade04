// Runs of loop where all sessions are seen: in the dashboard, and as scope prints them.
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { git, openTerminal, run, script, start, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const seen = (root: string) =>
  JSON.parse(run('scope', ['--once', '--json'], { cwd: root }).stdout).map(
    ({ id, status, task, alive, activity, exit_reason }: Record<string, unknown>) => ({
      ...{ id: `${id}`.replace(/^loop:[0-9a-z]{8}/, 'RUN'), status, task, alive, said: exit_reason ?? activity },
    }),
  )

describe('a run of loop', () => {
  it('is in the dashboard with its issues while it works, and when it is over or killed', async () => {
    const root = tempRepo({ 'a.txt': 'one\n' })
    const [one, two] = ['Mend it', 'Break it'].map((title) =>
      run('tissue', ['new', title, '--quiet'], { cwd: root }).stdout.trim(),
    )
    const bin = tempFolder('agents')
    const agent = join(bin, 'agent')
    const wait = `touch '${bin}/there'; while [ ! -e '${bin}/go' ]; do sleep 0.05; done`
    script(agent, `#!/bin/sh\ncat >/dev/null; ${wait}; date >"$(mktemp ./XXXXXX)"\n`)
    const terminal = openTerminal(root, 'scope --no-tmux', { PATH: [bin, toolPath()].join(delimiter) })
    terminal.resize(120, 24)
    await terminal.see(/No sessions/)
    const flags = ['--with', agent, '--verify', 'test ! -e stop', '-j', '2']
    const first = start('loop', ['run', '--issues', ...flags], { cwd: root })
    await terminal.see(/▼ loop:\w{8} +issues onto main +● running[\s\S]*Mend it +● running +1\/\d+ +working/)
    await terminal.see(/Break it +● running/)
    terminal.keys('j')
    await terminal.see(/^> .*(?:Mend|Break) it/m)
    terminal.keys('x')
    await terminal.see(/another tool keeps it going/)
    expect(seen(root).slice(0, 1)).toMatchObject([{ id: 'RUN', status: 'running', alive: true }])
    writeFileSync(join(bin, 'go'), '')
    expect((await first.done).code).toBe(0)
    await terminal.see(/issues onto main +✓ done[\s\S]*Mend it +✓ done +1\/\d+ +landed/)
    expect(seen(root)).toMatchObject([
      { id: 'RUN', status: 'done', alive: false },
      ...[one, two].sort().map((id) => ({ id: `RUN:${id}`, status: 'done', said: 'landed' })),
    ])
    expect(git(root, 'log', '--format=%s').split('\n').length).toBeGreaterThan(2)
    const task = start('loop', ['run', 'Say it', '--with', `while [ ! -e '${bin}/end' ]; do sleep 0.05; done`], {
      cwd: root,
    })
    await terminal.see(/Say it +● running +1\/\d+ +working/)
    task.child.kill('SIGKILL')
    await task.done
    await terminal.see(/Say it +✗ failed/)
    writeFileSync(join(bin, 'end'), '')
    expect(seen(root)).toContainEqual(
      expect.objectContaining({ task: 'Say it', status: 'failed', said: expect.stringContaining('is gone') }),
    )
    terminal.keys('q')
  })

  it('of a session of an agent is there too, which no process of its own keeps going, until it is cancelled', async () => {
    const root = tempRepo()
    const env = { CLAUDE_CODE_SESSION_ID: 's-1' }
    const loop = (...words: readonly string[]) => run('loop', words, { cwd: root, env })
    const terminal = openTerminal(root, 'scope --no-tmux; echo "left with $?"')
    terminal.resize(100, 24)
    await terminal.see(/No sessions/)
    expect(loop('start', 'Write b.txt', '--max', '3').code).toBe(0)
    await terminal.see(/loop:\w{8} +Write b\.txt +● running +1\/3 +working/)
    expect(seen(root)).toEqual([{ id: 'RUN', status: 'running', task: 'Write b.txt', alive: false, said: 'working' }])
    expect(loop('cancel').code).toBe(0)
    const input = JSON.stringify({ session_id: 's-1', cwd: root, hook_event_name: 'Stop', stop_hook_active: false })
    run('loop', ['hook', '--host', 'claude'], { cwd: root, env, input })
    await terminal.see(/Write b\.txt +■ aborted +1\/3 +cancelled/)
    expect(seen(root)).toMatchObject([{ id: 'RUN', status: 'aborted', task: 'Write b.txt' }])
    terminal.keys('q')
    await terminal.see(/left with 0/)
  })
})
