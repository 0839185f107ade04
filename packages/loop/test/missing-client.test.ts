// An agent whose program is not there has not failed at an issue: the run ends, and everything is as it was.
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bin, git, run, script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, landedIds, leftovers, ok, place, show, write } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

/** A PATH with our tools, git and the usual commands, but with no agent on it, whatever this machine has. */
function pathWithoutAgents(): string {
  const folder = tempFolder('path')
  for (const name of ['git', 'sh', 'cat', 'env']) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(folder, name))
  }
  for (const tool of ['tissue', 'jwz', 'scope'] as const) {
    script(join(folder, tool), `#!/bin/sh\nexec '${process.execPath}' '${bin(tool)}' "$@"\n`)
  }
  symlinkSync(process.execPath, join(folder, 'node'))
  return folder
}

describe('a client that is not there', () => {
  const env = { PATH: pathWithoutAgents() }
  const at = place()
  const ids = ['one', 'two', 'three'].map(at.issue)

  it.each([
    ['claude', ['--issues', '--with', 'claude', '--verify', 'true']],
    ['codex', ['--issues', '-j', '2', '--with', 'codex', '--verify', 'true']],
    ['gemini', ['--issue', ids[0] ?? '', '--with', 'scope run --agent gemini --model x', '--verify', 'true']],
    ['opencode', ['do it', '--with', 'opencode']],
    ['aider', ['do it', '--with', 'scope run --json --agent aider']],
  ])('ends the run of %s with 8 and gives back what was claimed', (client, args) => {
    const finished = run('loop', ['run', ...args], { cwd: at.root, env })
    expect([finished.code, finished.stdout]).toEqual([8, ''])
    expect(finished.stderr).toContain(
      `loop: cannot run ${client}: no such program; install ${client} or put it on PATH\n`,
    )
    for (const id of ids) expect(show(at.root, id)).toMatchObject({ status: 'open', claim: null, comments: [] })
    expect(leftovers(at.root)).toEqual([])
    expect(events(at.root).at(-1)).toMatchObject({ event: 'finished', exit_code: 8 })
  })

  it('lands nothing where it should review, and is named: the run ends, the session is let go', () => {
    const here = place({ 'loop.json': JSON.stringify({ review: true, reviewer: 'codex' }) })
    const [one, two] = ['one', 'two'].map(here.issue)
    const said = 'cannot run codex: no such program; install codex or put it on PATH'
    const args = ['run', '--issue', one ?? '', '--with', 'echo 1 >x.txt', '--verify', 'true']
    const finished = run('loop', args, { cwd: here.root, env })
    expect([finished.code, finished.stdout]).toEqual([8, ''])
    expect(finished.stderr).toContain(`loop: ${said}\n`)
    expect(show(here.root, one ?? '')).toMatchObject({ status: 'open', claim: null })
    expect(landedIds(here.root)).toEqual([])

    const { loop, stop } = sessionAt(here, 's-1', env)
    ok(loop('start', '--issue', two ?? '', '--verify', 'true'))
    const worktree = ok(here.loop('worktree', 'path', two ?? '')).stdout.trim()
    write(worktree, 'x.txt', 'x\n')
    git(worktree, 'add', '.')
    git(worktree, 'commit', '-qm', 'Work')
    for (const times of [1, 2]) {
      ok(loop('signal', 'done'))
      expect([times, answered(stop('')).warning]).toEqual([times, `loop: ${said}; the agent is left to stop`])
    }
    expect(landedIds(here.root)).toEqual([])

    const other = place({ 'loop.json': JSON.stringify({ review: true, reviewer: 'no-such-reviewer -x' }) })
    other.issue('one')
    const shell = other.loop('run', '--issues', '--with', 'echo 1 >x.txt', '--verify', 'true')
    expect([shell.code, landedIds(other.root)]).toEqual([8, []])
    expect(shell.stderr).toMatch(
      /expected to run no-such-reviewer -x, got: .*not found; .* or name another with reviewer/,
    )
  })

  it('is another thing than an agent that fails', () => {
    const finished = run(
      'loop',
      ['run', 'do it', '--max', '1', '--with', 'echo "scope: claude failed: no disk" >&2; exit 8'],
      { cwd: at.root, env },
    )
    expect([finished.code, finished.stdout]).toEqual([
      9,
      expect.stringContaining('exited with 8: scope: claude failed: no disk'),
    ])
  })
})
