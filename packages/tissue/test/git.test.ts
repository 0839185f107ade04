import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, recordsIn } from './fixture.ts'

function tissue(cwd: string, by: string, ...args: string[]): string {
  const { code, stdout, stderr } = run('tissue', args, { cwd, env: { JWZ_AGENT: by } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim()
}

/** All that can be seen of a store. */
function seen(cwd: string): unknown {
  const ids = tissue(cwd, 'reader', 'list', '--all', '--quiet').split('\n')
  return ids.map((id) => JSON.parse(tissue(cwd, 'reader', 'show', id, '--json')))
}

/** Two clones of a repository with one tracked issue. */
function twoClones() {
  const origin = tempRepo()
  git(origin, 'config', 'receive.denyCurrentBranch', 'updateInstead')
  const id = tissue(origin, 'origin', 'new', 'Shared')
  commitIssues(origin)
  const clones = ['ada', 'bob'].map((name) => {
    const root = join(tempFolder(name), 'clone')
    git(origin, 'clone', '--quiet', origin, root)
    git(root, 'config', 'user.name', name)
    git(root, 'config', 'user.email', `${name}@example.invalid`)
    return root
  })
  const [ada = '', bob = ''] = clones
  return { origin, id, ada, bob }
}

function commitIssues(root: string) {
  git(root, 'add', '.tissue')
  git(root, 'commit', '--quiet', '--message', 'Issues')
}

describe('two clones', () => {
  for (const pull of [['--no-rebase'], ['--rebase']]) {
    it(`that both edited agree after git pull ${pull[0]}, with every change in it and no conflict`, () => {
      const { id, ada, bob } = twoClones()
      tissue(ada, 'ada', 'edit', id, '--title', 'Title of ada', '--add-tag', 'ada')
      const fromAda = tissue(ada, 'ada', 'new', 'New of ada', '--blocked-by', id)
      tissue(bob, 'bob', 'edit', id, '--priority', '1', '--add-tag', 'bob')
      tissue(bob, 'bob', 'comment', id, '-m', 'Comment of bob')
      const fromBob = tissue(bob, 'bob', 'new', 'New of bob')
      commitIssues(ada)
      commitIssues(bob)
      git(ada, 'push', '--quiet')
      git(bob, 'pull', '--quiet', '--no-edit', ...pull)
      git(bob, 'push', '--quiet')
      git(ada, 'pull', '--quiet', '--ff-only')

      expect(readFileSync(logOf(ada))).toEqual(readFileSync(logOf(bob)))
      expect(readFileSync(logOf(ada), 'utf8')).not.toMatch(/^[<=>]{7}/m)
      expect(seen(ada)).toEqual(seen(bob))
      expect(tissue(ada, 'ada', 'doctor', '--log')).toContain(' 0 corrupt')
      const shared = JSON.parse(tissue(ada, 'ada', 'show', id, '--json'))
      expect(shared).toMatchObject({ title: 'Title of ada', priority: 1, tags: ['ada', 'bob'], blocks: [fromAda] })
      expect(shared.comments).toMatchObject([{ by: 'bob', body: 'Comment of bob' }])
      expect(tissue(bob, 'bob', 'ready', '--quiet').split('\n')).toEqual([id, fromBob])
      const last = tissue(bob, 'bob', 'new', 'After the merge')
      const seqs = recordsIn(bob).map(({ seq }) => Number(seq))
      expect(seqs.at(-1)).toBe(Math.max(...seqs.slice(0, -1)) + 1)
      expect(last).toMatch(/-/)
    })
  }

  it('that both claimed agree on one holder, and the other is shown and cannot close', () => {
    const { id, ada, bob } = twoClones()
    tissue(ada, 'ada', 'claim', id)
    tissue(bob, 'bob', 'claim', id)
    const fence = new Map([ada, bob].map((root) => [root, JSON.parse(tissue(root, 'x', 'show', id, '--json')).claim]))
    commitIssues(ada)
    commitIssues(bob)
    git(ada, 'push', '--quiet')
    git(bob, 'pull', '--quiet', '--rebase')
    git(bob, 'push', '--quiet')
    git(ada, 'pull', '--quiet', '--ff-only')
    expect(seen(ada)).toEqual(seen(bob))
    const { claim, contested } = JSON.parse(tissue(bob, 'bob', 'show', id, '--json'))
    expect([claim.by, contested.map(({ by }: { by: string }) => by)]).toEqual(['bob', ['ada']])
    const late = run('tissue', ['close', id, '--fence', fence.get(ada).id, '--as', 'ada'], { cwd: ada })
    expect(late.code).toBe(5)
    expect(tissue(bob, 'bob', 'close', id)).toBe(id)
  })

  it('that exchange exports instead of commits see the same', () => {
    const [ada, bob] = [tempFolder('ada'), tempFolder('bob')]
    tissue(ada, 'ada', 'new', 'One', '-t', 'x')
    tissue(bob, 'bob', 'new', 'Two')
    const exchange = (from: string, to: string) => {
      const input = run('tissue', ['export'], { cwd: from }).stdout
      return run('tissue', ['import', '-'], { cwd: to, input })
    }
    expect(exchange(ada, bob).stdout).toMatch(/^ada-|^switchyard-ada/)
    expect(exchange(bob, ada).code).toBe(0)
    expect(exchange(ada, bob)).toMatchObject({ code: 0, stdout: '' })
    expect(seen(ada)).toEqual(seen(bob))
  })
})
