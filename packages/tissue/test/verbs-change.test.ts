import { describe, expect, it } from 'vitest'
import { recordsIn, repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'
const x9qa = 'auth-x9qa4c81n0fz'
const m5t0 = 'auth-m5t0j6y3e8bp'

describe('tissue edit, status, comment and dep', () => {
  it('edit changes only what differs', () => {
    const root = repoWithIssues()
    const args = [
      'edit',
      'k3vd',
      '--title',
      'Fix the login',
      '--priority',
      '1',
      '--add-tag',
      'sso',
      '--rm-tag',
      'none',
      '-b',
      '- x',
    ]
    expect(tissue(root, args)).toEqual({ code: 0, stdout: `${k3vd}\n`, stderr: '' })
    expect(tissue(root, args).stdout).toBe(`${k3vd}\n`)
    expect(recordsIn(root).slice(17)).toMatchObject([
      { type: 'edited', seq: 17, title: 'Fix the login', body: '- x' },
      { type: 'tagged', seq: 18, tag: 'sso' },
    ])
    expect(json(root, 'edit', 'k3vd', '--rm-tag', 'sso').tags).toEqual([])
  })

  it('status moves an issue and refuses a word that is none', () => {
    const root = repoWithIssues()
    expect(json(root, 'status', 'k3vd', 'deferred')).toMatchObject({ id: k3vd, status: 'deferred' })
    expect(json(root, 'status', 'm5t0', 'open')).not.toHaveProperty('closed_at')
    expect(tissue(root, ['status', 'k3vd', 'done'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected a status, got "done"; one of open, in_progress, paused, deferred, closed, duplicate\n',
    })
    expect(tissue(root, ['status', 'x9qa', 'closed']).code).toBe(5)
  })

  it('comment adds one, from a flag or stdin', () => {
    const root = repoWithIssues()
    expect(tissue(root, ['comment', 'k3vd', '-m', '-1']).code).toBe(0)
    expect(tissue(root, ['comment', 'k3vd', '-'], 'a\nb\n').code).toBe(0)
    expect(tissue(root, ['comment', 'k3vd']).code).toBe(2)
    expect(json(root, 'show', 'k3vd').comments.slice(2)).toMatchObject([
      { by: 'ada', body: '-1' },
      { by: 'ada', body: 'a\nb\n' },
    ])
  })

  it('dep add and dep rm say what they did, and a circle is refused with its way', () => {
    const root = repoWithIssues()
    expect(tissue(root, ['dep', 'add', 'x9qa', 'blocks', 'k3vd'])).toEqual({
      code: 5,
      stdout: '',
      stderr: `tissue: expected no circle, this would make one: ${x9qa} blocks ${k3vd} blocks ${x9qa}; remove one link with tissue dep rm\n`,
    })
    const { stderr } = tissue(root, ['dep', 'add', 'x9qa', 'blocks', 'k3vd', '--json'])
    const { error } = JSON.parse(stderr.split('\n').at(-2) ?? '')
    expect(error).toMatchObject({ code: 'conflict', retryable: false })
    expect(tissue(root, ['dep', 'rm', 'k3vd', 'blocks', 'x9qa']).stdout).toBe(`no longer: ${k3vd} blocks ${x9qa}\n`)
    expect(tissue(root, ['dep', 'add', 'x9qa', 'blocks', 'k3vd']).stdout).toBe(`${x9qa} blocks ${k3vd}\n`)
    expect(json(root, 'dep', 'add', 'x9qa', 'parent', 'm5t0')).toEqual({ kind: 'parent', from: x9qa, to: m5t0 })
    expect(tissue(root, ['dep', 'add', 'x9qa', 'eats', 'm5t0']).code).toBe(2)
    expect(json(root, 'show', 'k3vd').blocked_by).toEqual([x9qa])
  })
})
