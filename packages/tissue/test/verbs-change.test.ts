import { describe, expect, it } from 'vitest'
import { repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'

describe('tissue status and comment', () => {
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
})
