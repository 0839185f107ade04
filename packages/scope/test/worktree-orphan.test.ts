import { readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Sessions, sessions } from './sessions.ts'

const losses: [string, (at: Sessions) => void][] = [
  ['was removed by hand', (at) => rmSync(at.folder('0'), { recursive: true })],
  ['has lost its log', (at) => truncateSync(join(at.folder('0'), 'events.jsonl'))],
  [
    'was removed by hand with the count of sessions',
    (at) => {
      rmSync(at.folder('0'), { recursive: true })
      rmSync(join(at.root, '.scope', 'next_id'))
    },
  ],
  ['was removed with all others', (at) => rmSync(join(at.root, '.scope', 'sessions'), { recursive: true })],
]

it.each(losses)('the work in the worktree of a session that %s is nobody’s to clear away', (_, lose) => {
  const at = sessions({ act: 'echo work >unsaved' })
  at.wait(at.spawn('Work', '--worktree'))
  lose(at)
  expect(at.scope(['doctor', '--fix']).stderr).toBe('')
  const next = at.spawn('Next', '--worktree', '--branch', 'next')
  expect(next).toBe('1')
  at.wait(next)
  expect(readFileSync(join(at.root, '.worktrees/scope/0/unsaved'), 'utf8')).toBe('work\n')
  const listed = JSON.parse(at.scope(['worktree', 'list', '--json']).stdout)
  expect(listed).toMatchObject([
    { session: '0', status: null, uncommitted: 1 },
    { session: '1', status: 'done' },
  ])
})
