import { tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { issue } from '../src/schema/schemas.ts'
import { recordsIn } from './fixture.ts'
import { json, tissue } from './tissue.ts'

/** Two issues that are closed, and one that is open. */
function closedIssues() {
  const root = tempRepo()
  tissue(root, ['init', '--prefix', 'app'])
  const [one = '', two = '', open = ''] = ['One', 'Two', 'Open'].map((title) =>
    tissue(root, ['new', title]).stdout.trim(),
  )
  tissue(root, ['close', one, two])
  return { root, one, two, open }
}

const now = ['--older-than', '1ms']

describe('tissue clean', () => {
  it('lists what has been over for long and deletes nothing', () => {
    const { root, one, two } = closedIssues()
    expect(tissue(root, ['clean'])).toEqual({ code: 0, stdout: '', stderr: 'nothing to clean\n' })
    const { code, stdout, stderr } = tissue(root, ['clean', ...now])
    expect([code, stderr]).toEqual([0, 'nothing was deleted; --force deletes these\n'])
    expect(stdout).toMatch(/^app-\S+ {2}P2 {2}closed {2}One\napp-\S+ {2}P2 {2}closed {2}Two\n$/)
    const listed = JSON.parse(tissue(root, ['clean', ...now, '--json']).stdout)
    expect(listed.map((each: unknown) => issue.parse(each).id)).toEqual([one, two])
    expect(json(root, 'list', '--all')).toHaveLength(3)
  })

  it('deletes them in one write with --force; no verb sees them, and reopen brings one back whole', () => {
    const { root, one, two } = closedIssues()
    tissue(root, ['comment', one, '-m', 'Remember me.'])
    const before = json(root, 'show', one)
    expect(tissue(root, ['clean', ...now, '--force', '--quiet']).stdout).toBe(`${one}\n${two}\n`)
    expect(recordsIn(root).at(-1)).toMatchObject({ type: 'batch', events: [{ type: 'deleted' }, { type: 'deleted' }] })
    expect(json(root, 'list', '--all').map(({ title }: { title: string }) => title)).toEqual(['Open'])
    expect(tissue(root, ['show', one])).toEqual({
      code: 3,
      stdout: '',
      stderr: `tissue: expected the id of an issue, got "${one}", which names none; ${one} was deleted, see tissue history; tissue reopen brings it back\n`,
    })
    expect(tissue(root, ['comment', two, '-m', 'x']).code).toBe(3)
    expect(tissue(root, ['clean', ...now, '--force']).stderr).toBe('nothing to clean\n')
    expect(tissue(root, ['reopen', one]).stdout).toBe(`${one}\n`)
    const { comments, created_at } = json(root, 'show', one)
    expect({ comments, created_at }).toEqual({ comments: before.comments, created_at: before.created_at })
  })

  it('leaves alone what is the parent or a child of an open issue, and drops links to what it deletes', () => {
    const { root, one, two, open } = closedIssues()
    tissue(root, ['reopen', one, two])
    tissue(root, ['dep', 'add', open, 'parent', one])
    tissue(root, ['dep', 'add', open, 'relates', two])
    tissue(root, ['close', one, two])
    expect(tissue(root, ['clean', ...now, '--force', '--quiet']).stdout).toBe(`${two}\n`)
    expect(json(root, 'show', open).deps).toMatchObject([{ kind: 'parent', from: open, to: one }])
    tissue(root, ['close', open])
    expect(json(root, 'clean', ...now, '--force')).toHaveLength(2)
  })

  it('sets the key of a deleted issue free', () => {
    const root = tempRepo()
    const first = tissue(root, ['new', 'Rotate', '--key', 'k']).stdout
    tissue(root, ['close', first.trim()])
    tissue(root, ['clean', ...now, '--force'])
    const second = tissue(root, ['new', 'Rotate', '--key', 'k']).stdout
    expect(second).not.toBe(first)
    expect(tissue(root, ['new', 'Rotate', '--key', 'k']).stdout).toBe(second)
  })
})
