import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { agentPlace } from './agent-place.ts'

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] })
const done = 'It is there.\n\n<loop-done>done</loop-done>'
const commit = 'cd .worktrees/loop/* && date +%N > $(date +%s%N).txt && git add . && git commit -qm "Add a file"'

it('the plugin of Claude Code keeps a session at issues until each has landed', async () => {
  const place = await agentPlace(
    [
      { when: { user: /loop start --issues/ }, ...bash('loop start --issues') },
      { when: { result: /nothing is changed yet/ }, text: 'Is it done already?' },
      { when: { user: /Stop hook feedback:.*Iteration 2/s }, ...bash(commit) },
      { when: { result: /./ }, text: done },
      { when: { user: /Stop hook feedback:.*is landed on main.*Second file/s }, ...bash('ls .worktrees/loop') },
      // Its shell stood in the worktree that went with the landing; it is back in the repository now.
      { when: { result: /no longer exists/ }, ...bash(commit) },
      { when: { result: /./ }, text: done },
    ],
    { 'loop.json': '{"verify": "ls *.txt"}\n', '.gitignore': '.worktrees/\n' },
  )
  for (const title of ['First file', 'Second file']) await place.run('tissue', ['new', title])
  const plugin = join(place.home, 'plugin')
  await place.run('loop', ['plugin', 'build', '--host', 'claude', '--out', plugin])
  const flags = ['--plugin-dir', plugin, '--dangerously-skip-permissions']
  expect(await place.run('claude', ['-p', '/loop:loop', ...flags])).toMatchObject({ code: 0 })
  expect(place.model.requests.map(({ turn }) => turn)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(git(place.repo, 'log', '--format=%s', '-2')).toBe('Add a file\nAdd a file')
  const statuses = JSON.parse((await place.run('tissue', ['list', '--all', '--json'])).stdout)
  expect(statuses).toMatchObject([{ status: 'closed' }, { status: 'closed' }])
})

it('in Claude Code the commands of the plugin leave to the person what waits for trust, and what ends a loop', async () => {
  const place = await agentPlace([
    { when: { user: /loop start --issues/ }, ...bash('loop start --issues') },
    { when: { result: /waits for your trust, and would set verify; .*loop trust/ }, ...bash('loop trust') },
    { when: { result: /loop guard \(loop\.trust\)/ }, text: 'Please look at loop.json, then type: loop trust' },
    { when: { user: /loop cancel/ }, ...bash('loop cancel') },
    { when: { result: /loop guard \(loop\.cancel\)/ }, text: 'Please type: loop cancel' },
  ])
  writeFileSync(join(place.repo, 'loop.json'), '{"verify": "true"}\n')
  await place.run('tissue', ['new', 'First file'])
  const plugin = join(place.home, 'plugin')
  await place.run('loop', ['plugin', 'build', '--host', 'claude', '--out', plugin])
  for (const command of ['/loop:loop', '/loop:cancel']) {
    const flags = ['--plugin-dir', plugin, '--dangerously-skip-permissions']
    expect(await place.run('claude', ['-p', command, ...flags])).toMatchObject({ code: 0 })
  }
  expect(place.model.requests.map(({ turn }) => turn)).toEqual([0, 1, 2, 3, 4])
  expect(await place.run('loop', ['verify'])).toMatchObject({ code: 5 })
})
