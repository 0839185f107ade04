import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, itWith, run, tempFolder, tempRepo, trust } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { schemas } from '../src/schemas.ts'
import { slugOf } from '../src/worktree/slug.ts'
import { removedWorktree, worktreeFacts } from '../src/worktree/worktree-schema.ts'
import { ok, type Place, place, placeAt, read, write } from './place.ts'

import { add, commit, commitOn, list, refs, there, worktree } from './worktrees.ts'

describe('loop worktree add', () => {
  it('makes a worktree on a branch of its own and prints its path', () => {
    const at = place()
    const path = add(at, 'try it')
    expect(path).toBe(join(at.root, '.worktrees/loop', slugOf('try it')))
    expect(read(path, 'a.txt')).toBe('one\ntwo\nthree\n')
    expect(git(path, 'branch', '--show-current')).toBe(`loop/issue/${slugOf('try it')}`)
    expect(git(at.root, 'status', '--porcelain')).toBe('')
    expect(list(at)).toEqual([
      {
        ...{ id: 'try it', issue: null, path, branch: `loop/issue/${slugOf('try it')}`, base: 'main', run: null },
        ...{ alive: false, state: 'clean', ahead: 0, landed: false },
      },
    ])
    expect(worktree(at, 'path', 'try it').stdout).toBe(`${path}\n`)
    expect(worktree(at, 'list', '--quiet').stdout).toBe('try it\n')
  })

  it('knows an issue by part of its id, and the folder by it', () => {
    const at = place()
    const id = at.issue('x')
    const made = JSON.parse(ok(worktree(at, 'add', id.slice(0, -2), '--json')).stdout)
    expect(worktreeFacts.parse(made)).toMatchObject({
      id,
      issue: id,
      path: join(at.root, '.worktrees/loop', slugOf(id)),
    })
  })

  it('is refused when there is one, and when the branch is checked out elsewhere', () => {
    const at = place()
    add(at, 'x')
    const again = worktree(at, 'add', 'x')
    expect([again.code, again.stdout]).toEqual([5, ''])
    expect(again.stderr).toBe('loop: x has a worktree already; see loop worktree path x\n')
    git(at.root, 'worktree', 'add', '-q', '-b', `loop/issue/${slugOf('y')}`, join(tempFolder('other'), 'y'))
    const held = worktree(at, 'add', 'y')
    expect(held.code).toBe(5)
    expect(held.stderr).toMatch(/^loop: git would not make the worktree: .*already/)
  })

  it('goes on with a branch that is there, and begins elsewhere only with one that is not', () => {
    const at = place()
    git(at.root, 'branch', `loop/issue/${slugOf('x')}`)
    commitOn(at, `loop/issue/${slugOf('x')}`)
    expect(worktree(at, 'add', 'x', '--base', 'main').stderr).toBe(
      `loop: the branch loop/issue/${slugOf('x')} is there already, and begins elsewhere; leave out --base to go on with it\n`,
    )
    expect(existsSync(join(add(at, 'x'), 'parked.txt'))).toBe(true)
    expect(list(at)).toMatchObject([{ id: 'x', ahead: 1, base: 'main', landed: false }])
  })

  it('begins at a branch, which it is to land on, or at any commit', () => {
    const at = place()
    git(at.root, 'branch', 'release')
    commitOn(at, 'release')
    const first = git(at.root, 'rev-parse', 'main')
    write(at.root, 'b.txt', 'b\n')
    commit(at.root, 'b')
    expect(existsSync(join(add(at, 'x', '--base', 'release'), 'parked.txt'))).toBe(true)
    expect(existsSync(join(add(at, 'y', '--base', first), 'b.txt'))).toBe(false)
    expect(list(at).map(({ id, base }) => [id, base])).toEqual([
      ['x', 'release'],
      ['y', 'main'],
    ])
    const wrong = worktree(at, 'add', 'z', '--base=--help')
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      'loop: expected --base to name a branch or a commit, --help is neither\n',
    ])
  })

  it('keeps ids apart that differ in case or in what no file name holds', () => {
    const at = place()
    const slugs = ['Fix', 'fix', 'f.ix', 'f/ix', '../fix', 'ünïx', 'HEAD'].map((id) => slugOf(id).toLowerCase())
    expect(new Set(slugs).size).toBe(7)
    expect(slugs.every((slug) => /^[a-z0-9-]+$/.test(slug))).toBe(true)
    const paths = ['Fix', 'fix', '../fix'].map((id) => add(at, id).toLowerCase())
    expect(new Set(paths).size).toBe(3)
    expect(paths.every((path) => path.startsWith(join(at.root, '.worktrees/loop/').toLowerCase()))).toBe(true)
    expect(worktree(at, 'path', 'Fix').stdout).not.toBe(worktree(at, 'path', 'fix').stdout)
  })

  it('sets up as loop.json says, and leaves nothing behind when that fails', () => {
    const at = place({
      '.gitignore': '.env\n',
      'loop.json': '{"worktree":{"setup":"cat .env; exit 3","copy":[".env"]}}',
    })
    write(at.root, '.env', 'A=1\n')
    const broken = worktree(at, 'add', 'x')
    expect([broken.code, broken.stdout]).toEqual([1, ''])
    expect(broken.stderr).toBe(
      'A=1\nloop: the set-up command failed (exit 3): cat .env; exit 3; mend it in loop.json, or use --no-setup\n',
    )
    expect([list(at), refs(at.root)]).toEqual([[], ''])
    expect(existsSync(join(add(at, 'x', '--no-setup'), '.env'))).toBe(false)
    write(at.root, 'loop.json', '{"worktree":{"setup":"echo $LOOP_ISSUE $LOOP_WORKTREE > made","copy":[".env"]}}')
    trust(at.root)
    const id = at.issue('y')
    const path = add(at, id)
    expect(read(path, 'made')).toBe(`${id} ${path}\n`)
    expect(read(path, '.env')).toBe('A=1\n')
  })

  it('lets one of two make it, whole', async () => {
    const at = place({ 'loop.json': '{"worktree":{"setup":"sleep 1"}}' })
    const both = [at.start('worktree', 'add', 'x'), at.start('worktree', 'add', 'x')]
    const codes = (await Promise.all(both.map(({ done }) => done))).map(({ code }) => code)
    expect(codes.sort()).toEqual([0, 5])
    expect(list(at)).toMatchObject([{ id: 'x', state: 'clean' }])
  })

  it('says in which folder git lies when it lies in none, and what lies in the way', () => {
    const folder = tempFolder('none')
    const none = run('loop', ['worktree', 'add', 'x'], { cwd: folder })
    expect([none.code, none.stderr]).toEqual([
      2,
      `loop: expected a git repository, ${folder} is in none; cd into one, or git init\n`,
    ])
    const at = place()
    const path = join(at.root, '.worktrees/loop', slugOf('x'))
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'mine'), 'mine')
    const taken = worktree(at, 'add', 'x')
    expect([taken.code, taken.stderr]).toEqual([
      5,
      `loop: ${path} lies there, and git knows no worktree of it; move it away\n`,
    ])
    expect(read(path, 'mine')).toBe('mine')
  })

  itWith('permissions that stop this user', 'says what the disk answers where it may not write', () => {
    const at = place()
    chmodSync(join(at.root, '.git'), 0o555)
    const finished = run('loop', ['worktree', 'add', 'x'], { cwd: at.root, unprivileged: true })
    chmodSync(join(at.root, '.git'), 0o755)
    expect(finished.code).not.toBe(0)
    expect(finished.code).not.toBe(70)
    expect(finished.stdout).toBe('')
  })
})

describe('where loop worktree stands', () => {
  const names = ['plain', 'with spaces and ünïcode', 'bare.git', 'separate', 'linked', 'subfolder'] as const
  it.each(names)('makes, finds and removes one: %s', (kind) => {
    const at = standing(kind)
    const path = add(at, 'x')
    expect(existsSync(join(path, 'sub/a.txt'))).toBe(true)
    write(path, 'new.txt', 'new\n')
    expect(list(at)).toMatchObject([{ id: 'x', path: realpathSync(path), state: 'dirty' }])
    expect(there(at, 'x', 'cat new.txt')).toBe('new\n')
    const removed = removedWorktree.parse(JSON.parse(ok(worktree(at, 'remove', 'x', '--force', '--json')).stdout))
    expect(git(at.root, 'show', `${removed.salvage}:new.txt`)).toBe('new')
    expect(existsSync(path)).toBe(false)
    expect(git(at.root, 'worktree', 'list')).not.toContain('/loop/')
  })

  function standing(kind: (typeof names)[number]): Place {
    const origin = tempRepo({ 'sub/a.txt': 'a\n' })
    const folder = tempFolder('stand')
    if (kind === 'plain') return placeAt(origin)
    if (kind === 'subfolder') return placeAt(join(origin, 'sub'))
    if (kind === 'separate') {
      git(folder, 'clone', '-q', '--separate-git-dir', join(folder, 'git dir'), origin, 'tree')
      return placeAt(join(folder, 'tree'))
    }
    if (kind === 'bare.git') {
      git(folder, 'clone', '-q', '--bare', origin, 'bare.git')
      return placeAt(join(folder, 'bare.git'))
    }
    if (kind === 'linked') {
      git(origin, 'worktree', 'add', '-q', '--detach', join(folder, 'linked'))
      return placeAt(join(folder, 'linked'))
    }
    renameSync(origin, join(folder, kind))
    return placeAt(join(folder, kind))
  }

  it('wants a base named when HEAD of the main tree is detached', () => {
    const at = place()
    git(at.root, 'checkout', '-q', '--detach')
    expect(worktree(at, 'add', 'x').code).toBe(2)
    add(at, 'x', '--base', 'main')
    expect(list(at)).toMatchObject([{ base: 'main', ahead: 0 }])
  })
})

describe('loop worktree path', () => {
  it('is where a shell runs what is to run there, with the bus and the tracker of the repository', () => {
    const at = place()
    const id = at.issue('x')
    const path = add(at, id)
    expect(there(at, id, 'pwd; tissue show "$0" --quiet')).toContain(`${path}\n${id}\n`)
    expect(there(at, id, 'jwz post t -m hello --quiet')).toMatch(/^01/)
    expect(existsSync(join(at.root, '.jwz/topics/t.jsonl'))).toBe(true)
    expect(existsSync(join(path, '.jwz'))).toBe(false)
    expect(worktree(at, 'path', 'y')).toMatchObject({
      code: 3,
      stderr: 'loop: expected a worktree of loop, y names none; see loop worktree list\n',
    })
  })

  it('takes the beginning of an id, of one only', () => {
    const at = place()
    const paths = ['alpha', 'alpine', 'al'].map((name) => add(at, name))
    expect(worktree(at, 'path', 'alph').stdout).toBe(`${paths[0]}\n`)
    expect(worktree(at, 'path', 'al').stdout).toBe(`${paths[2]}\n`)
    expect(worktree(at, 'path', 'alp')).toMatchObject({
      code: 4,
      stderr: 'loop: expected one worktree, alp begins alpha, alpine; write more of it\n',
    })
  })
})

it('every record of the worktree verbs has a schema', () => {
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['worktree', 'removed-worktree', 'salvage']))
})
