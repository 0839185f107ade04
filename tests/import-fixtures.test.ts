// What other stores leave behind, taken in by the binaries; each is in its form of disk, not of a report.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'

function tissue(cwd: string, ...args: string[]) {
  return run('tissue', args, { cwd, env: { JWZ_AGENT: 'ada' } })
}

it('an original tissue log with several revisions and removed links is taken over in its last state', () => {
  const root = tempFolder('gate')
  const record = (rev: string, changes: object) =>
    JSON.stringify({
      type: 'issue',
      id: 'app-0a1b2c3d',
      rev,
      title: 'First',
      body: '',
      status: 'open',
      priority: 2,
      tags: ['a,b'],
      created_at: 1,
      updated_at: 1,
      ...changes,
    })
  const link = (rev: string, state: string) =>
    JSON.stringify({ type: 'dep', src_id: 'app-0e', dst_id: 'app-0a1b2c3d', kind: 'blocks', state, created_at: 1, rev })
  const lines = [
    record('01J0000000000000000000000A', {}),
    record('01J0000000000000000000000C', { title: 'Last', status: 'closed' }),
    record('01J0000000000000000000000B', { title: 'Second' }),
    record('01J0000000000000000000000A', { id: 'app-0e', title: 'Other' }),
    link('01J0000000000000000000000B', 'removed'),
    link('01J0000000000000000000000A', 'active'),
  ]
  mkdirSync(join(root, 'old'))
  const log = join(root, 'old/issues.jsonl')
  writeFileSync(log, `${lines.join('\n')}\n`)
  expect(tissue(root, 'migrate', 'old')).toMatchObject({ code: 0, stderr: '' })
  const issue = JSON.parse(tissue(root, 'show', 'app-0a1b2c3d', '--json').stdout)
  expect(issue).toMatchObject({ title: 'Last', status: 'closed', tags: ['a,b'], deps: [] })
  expect(readFileSync(log, 'utf8')).toBe(`${lines.join('\n')}\n`)
})

it('a beads log with conflict markers is refused with its line, and nothing is written', () => {
  const root = tempFolder('gate')
  const bead = (id: string) => JSON.stringify({ id, title: id, status: 'open', priority: 1, issue_type: 'task' })
  const lines = ['bd-1', 'bd-2'].map(bead)
  writeFileSync(join(root, 'beads.jsonl'), [lines[0], '<<<<<<< HEAD', lines[1], '=======', '>>>>>>> b', ''].join('\n'))
  const { code, stdout, stderr } = tissue(root, 'import', 'beads.jsonl')
  expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
  expect(stderr).toContain('line 2 is a conflict marker of version control')
  expect(tissue(root, 'list', '--all', '--quiet').stdout).toBe('')
  // What a hand that was too quick leaves.
  writeFileSync(join(root, 'beads.jsonl'), [...lines, '>>>>>>> b', ''].join('\n'))
  expect(tissue(root, 'import', 'beads.jsonl')).toMatchObject({ code: 7, stdout: '' })
  writeFileSync(join(root, 'beads.jsonl'), lines.join('\n'))
  expect(tissue(root, 'import', 'beads.jsonl').stdout.match(/\n/g)).toHaveLength(2)
})
