import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { full, git, run, script, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { schemas } from '../src/schemas.ts'
import { slugOf } from '../src/worktree/slug.ts'
import { removedWorktree, salvagedWork, worktreeFacts } from '../src/worktree/worktree-schema.ts'
import { ok, type Place, place, placeAt, read, write } from './place.ts'

const worktree = (at: Place, ...args: string[]) => at.loop('worktree', ...args)
const add = (at: Place, ...args: string[]) => ok(worktree(at, 'add', ...args)).stdout.trim()
const list = (at: Place) => worktreeFacts.array().parse(JSON.parse(ok(worktree(at, 'list', '--json')).stdout))
const refs = (root: string) => git(root, 'for-each-ref', '--format=%(refname)', 'refs/loop', 'refs/heads/loop')
const commit = (path: string, message: string) => {
  git(path, 'add', '--all')
  git(path, 'commit', '-qm', message)
}

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
    const paths = ['Fix', 'fix', 'f.ix', 'f/ix', '../fix', 'ünïx', 'HEAD'].map((id) => add(at, id).toLowerCase())
    expect(new Set(paths).size).toBe(7)
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

  it('says what the disk answers where it may not write', () => {
    const at = place()
    git(at.root, 'config', 'core.sharedRepository', '0777')
    const finished = run('loop', ['worktree', 'add', 'x'], { cwd: at.root, unprivileged: true })
    expect(finished.code).not.toBe(0)
    expect(finished.code).not.toBe(70)
    expect(finished.stdout).toBe('')
  })
})

/** A commit with a file `parked.txt` on a branch that is not checked out. */
function commitOn(at: Place, branch: string): void {
  const elsewhere = join(tempFolder('elsewhere'), 'w')
  git(at.root, 'worktree', 'add', '-q', elsewhere, branch)
  write(elsewhere, 'parked.txt', 'parked\n')
  commit(elsewhere, 'parked')
  git(at.root, 'worktree', 'remove', elsewhere)
}

describe('where loop worktree stands', () => {
  const names = ['plain', 'with spaces and ünïcode', 'bare.git', 'separate', 'linked', 'subfolder'] as const
  it.each(names)('makes, finds and removes one: %s', (kind) => {
    const at = standing(kind)
    const path = add(at, 'x')
    expect(existsSync(join(path, 'sub/a.txt'))).toBe(true)
    write(path, 'new.txt', 'new\n')
    expect(list(at)).toMatchObject([{ id: 'x', path: realpathSync(path), state: 'dirty' }])
    expect(worktree(at, 'exec', 'x', '--', 'cat', 'new.txt').stdout).toBe('new\n')
    const removed = removedWorktree.parse(JSON.parse(ok(worktree(at, 'remove', 'x', '--force', '--json')).stdout))
    expect(git(at.root, 'show', `${removed.salvage}:new.txt`)).toBe('new')
    expect([existsSync(path), list(at)]).toEqual([false, []])
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

describe('loop worktree exec', () => {
  it('runs a command there with its streams and its exit code, told where it is', () => {
    const at = place()
    const id = at.issue('x')
    const path = add(at, id)
    const told = 'pwd; echo "$LOOP_ISSUE $LOOP_WORKTREE $TISSUE_STORE $JWZ_STORE $LOOP_RUN_ID."; echo e >&2; exit 42'
    const finished = worktree(at, 'exec', id, '--', 'sh', '-c', told)
    expect(finished).toMatchObject({ code: 42, stderr: 'e\n' })
    expect(finished.stdout).toBe(`${path}\n${id} ${path} ${at.root}/.tissue ${at.root}/.jwz .\n`)
    const input = run('loop', ['worktree', 'exec', id, '--', 'cat', '-'], { cwd: at.root, input: 'in\n' })
    expect(input.stdout).toBe('in\n')
    expect(worktree(at, 'exec', id, '--', 'tissue', 'show', id, '--quiet').stdout).toBe(`${id}\n`)
  })

  it('shows the signal that ended it, and passes SIGTERM on', async () => {
    const at = place()
    add(at, 'x')
    expect(worktree(at, 'exec', 'x', '--', 'sh', '-c', 'kill -9 $$').code).toBe(137)
    const started = at.start('worktree', 'exec', 'x', '--', 'sh', '-c', 'echo up; exec sleep 60')
    await started.waitFor(/up/)
    started.child.kill('SIGTERM')
    expect((await started.done).code).toBe(143)
  })

  it('says which of worktree, folder and program is not there', () => {
    const at = place()
    expect(worktree(at, 'exec', 'x', '--', 'true')).toMatchObject({
      code: 3,
      stderr: 'loop: expected a worktree of loop, x names none; see loop worktree list\n',
    })
    const path = add(at, 'x')
    expect(worktree(at, 'exec', 'x', '--', 'no-such-program').code).toBe(8)
    rmSync(path, { recursive: true })
    expect(worktree(at, 'exec', 'x', '--', 'true').code).toBe(3)
    expect(worktree(at, 'exec', 'x').code).toBe(2)
  })
})

describe('loop worktree path', () => {
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

describe('loop worktree remove', () => {
  it('removes what has landed and refuses what has not, and what is where one stands', () => {
    const at = place()
    const path = add(at, 'x')
    write(path, 'b.txt', 'b\n')
    expect(worktree(at, 'remove', 'x').stderr).toBe(
      'loop: x has changes that are not committed; use --force to keep them in a ref and remove it\n',
    )
    commit(path, 'b')
    const refused = worktree(at, 'remove', 'x')
    expect([refused.code, refused.stderr]).toEqual([
      5,
      'loop: x has commits that main has not; use --force to keep them in a ref and remove it\n',
    ])
    git(at.root, 'merge', '-q', `loop/issue/${slugOf('x')}`)
    const inside = run('loop', ['worktree', 'remove', 'x'], { cwd: path })
    expect([inside.code, inside.stderr]).toEqual([5, `loop: ${path} is where you are; cd out of it\n`])
    expect(ok(worktree(at, 'remove', 'x')).stdout).toBe(`x  removed ${path}\n`)
    expect([existsSync(path), refs(at.root)]).toEqual([false, ''])
  })

  it('removes what was squashed onto the base', () => {
    const at = place()
    const path = add(at, 'x')
    for (const name of ['b', 'c']) {
      write(path, name, name)
      commit(path, name)
    }
    git(at.root, 'merge', '-q', '--squash', `loop/issue/${slugOf('x')}`)
    git(at.root, 'commit', '-qm', 'both')
    expect(list(at)).toMatchObject([{ ahead: 2, landed: true }])
    ok(worktree(at, 'remove', 'x'))
  })

  it('keeps all there is with --force: commits on its branch, on another, and what is not committed', () => {
    const at = place()
    const path = add(at, 'x')
    write(path, 'branch.txt', 'branch\n')
    commit(path, 'on the branch')
    git(path, 'checkout', '-q', '--detach', 'main')
    write(path, 'detached.txt', 'detached\n')
    commit(path, 'detached')
    write(path, 'open.txt', 'open\n')
    write(path, 'a.txt', 'changed\n')
    const { salvage } = removedWorktree.parse(JSON.parse(ok(worktree(at, 'remove', 'x', '--force', '--json')).stdout))
    expect(git(at.root, 'show', `${salvage}:open.txt`)).toBe('open')
    expect(git(at.root, 'show', `${salvage}:a.txt`)).toBe('changed')
    expect(git(at.root, 'log', '--format=%s', `${salvage}`)).toContain('on the branch')
    expect(git(at.root, 'log', '--format=%s', `${salvage}`)).toContain('detached')
    expect(refs(at.root)).toBe(salvage)
  })

  it('leaves alone what a living run holds, also with --force, and what is locked without it', async () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent(
      'wait',
      `touch ${at.agents}/up; while [ ! -e ${at.agents}/go ]; do sleep 0.05; done; echo b > b`,
    )
    const started = at.start('run', '--issues', '--with', agent, '--verify', 'true')
    while (!existsSync(join(at.agents, 'up'))) await sleep(20)
    const [facts] = list(at)
    expect(facts).toMatchObject({ id, issue: id, alive: true, state: 'clean' })
    expect(worktree(at, 'list').stdout).toBe(`${id}  clean  run ${facts?.run}  ${facts?.path}\n`)
    const held = worktree(at, 'remove', id, '--force')
    expect([held.code, held.stderr]).toEqual([
      5,
      `loop: ${id} is held by the run ${facts?.run}, which is alive; see loop status --run ${facts?.run}\n`,
    ])
    expect(worktree(at, 'prune').stderr).toBe('nothing to prune\n')
    writeFileSync(join(at.agents, 'go'), '')
    expect((await started.done).code).toBe(0)

    const path = add(at, 'mine')
    git(at.root, 'worktree', 'lock', path)
    expect(worktree(at, 'remove', 'mine').stderr).toBe('loop: mine is locked by git worktree lock; use --force\n')
    ok(worktree(at, 'remove', 'mine', '--force'))
  })

  it('keeps the branch of one whose folder was removed by hand', () => {
    const at = place()
    const path = add(at, 'x')
    write(path, 'b.txt', 'b\n')
    commit(path, 'b')
    rmSync(path, { recursive: true })
    expect(list(at)).toMatchObject([{ id: 'x', state: 'missing' }])
    expect(worktree(at, 'remove', 'x').code).toBe(5)
    const { salvage } = JSON.parse(ok(worktree(at, 'remove', 'x', '--force', '--json')).stdout)
    expect(git(at.root, 'show', `${salvage}:b.txt`)).toBe('b')
  })
})

describe('loop worktree prune', () => {
  it('removes what landed and what has no folder, and nothing of others', () => {
    const at = place()
    for (const name of ['landed', 'gone', 'dirty', 'ahead', 'new', 'locked']) add(at, name)
    const path = (name: string) => join(at.root, '.worktrees/loop', slugOf(name))
    for (const name of ['landed', 'gone', 'ahead', 'locked']) {
      write(path(name), `${name}.txt`, name)
      commit(path(name), name)
    }
    for (const name of ['landed', 'locked']) git(at.root, 'merge', '-q', `loop/issue/${slugOf(name)}`)
    git(at.root, 'worktree', 'lock', path('locked'))
    rmSync(path('gone'), { recursive: true })
    write(path('dirty'), 'b.txt', 'b')
    const foreign = join(at.root, '.worktrees/mine')
    git(at.root, 'worktree', 'add', '-q', '-b', 'foreign', foreign)
    const lost = join(tempFolder('lost'), 'w')
    git(at.root, 'worktree', 'add', '-q', '-b', 'lost', lost)
    rmSync(lost, { recursive: true })
    const before = git(at.root, 'worktree', 'list').split('\n').length
    expect(ok(worktree(at, 'prune')).stdout.split('\n').sort()).toEqual([
      '',
      `gone  removed ${path('gone')}  branch loop/issue/${slugOf('gone')} stays`,
      `landed  removed ${path('landed')}`,
    ])
    expect(git(at.root, 'worktree', 'list').split('\n').length).toBe(before - 2)
    expect(
      list(at)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['ahead', 'dirty', 'locked', 'new'])
    expect(ok(worktree(at, 'prune', '--json')).stdout).toBe('[]\n')
    expect(existsSync(join(add(at, 'gone'), 'gone.txt'))).toBe(true)
  })
})

describe('loop worktree salvage', () => {
  it('keeps the state of a worktree in a ref and changes nothing in it', () => {
    const at = place({ '.gitignore': 'ignored\n', 'a.txt': 'a\n', 'b.txt': 'b\n' })
    const id = at.issue('x')
    const path = add(at, id)
    expect(worktree(at, 'salvage', id)).toMatchObject({ code: 3, stdout: '' })
    write(path, 'a.txt', 'staged\n')
    git(path, 'add', 'a.txt')
    write(path, 'a.txt', 'changed\n')
    rmSync(join(path, 'b.txt'))
    write(path, 'new ü.txt', 'new\n')
    write(path, 'ignored', 'ignored\n')
    write(path, '.jwz/x', 'bus\n')
    const state = () => [
      git(path, 'status', '--porcelain'),
      git(path, 'ls-files', '-s'),
      git(path, 'rev-parse', 'HEAD'),
    ]
    const before = state()
    const ref = ok(worktree(at, 'salvage', id)).stdout.trim()
    expect(state()).toEqual(before)
    expect(git(at.root, '-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', ref)).toBe(
      '.gitignore\na.txt\nnew ü.txt',
    )
    expect(git(at.root, 'show', `${ref}:a.txt`)).toBe('changed')
    const [kept] = salvagedWork.array().parse(JSON.parse(ok(worktree(at, 'salvage', '--json')).stdout))
    expect(kept).toMatchObject({ ref, issue: id, subject: `State of the worktree of ${id}` })
    expect(worktree(at, 'salvage').stdout).toMatch(new RegExp(`^${ref} {2}\\S.* {2}${id} {2}State of`))
    const back = add(at, 'back', '--base', ref)
    expect(read(back, 'new ü.txt')).toBe('new\n')
  })

  it('tells whose work a run kept', () => {
    const at = place()
    const id = at.issue('x')
    const own = at.agent('own', 'echo b > b.txt; git add b.txt; git commit -qm mine; exit 1')
    at.loop('run', '--issues', '--max-iterations', '1', '--with', own, '--verify', 'true')
    const [kept] = JSON.parse(ok(worktree(at, 'salvage', '--json')).stdout)
    expect(kept).toMatchObject({ issue: id, subject: 'mine' })
  })
})

describe('a loop worktree verb that is killed', () => {
  /** A PATH whose git kills the process that calls it at its n-th call, before git does anything. */
  function deadlyGit(nth: number): Record<string, string> {
    const folder = tempFolder('deadly')
    const count = `n=$(cat ${folder}/n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > ${folder}/n`
    script(
      join(folder, 'git'),
      `#!/bin/sh\n${count}\n[ $n = ${nth} ] && kill -9 $PPID && exit 1\nPATH=$REAL exec git "$@"\n`,
    )
    return { PATH: `${folder}:${process.env['PATH']}`, REAL: `${process.env['PATH']}` }
  }

  it('leaves a worktree or a ref with the work, whenever it dies while removing', () => {
    const at = place()
    const path = add(at, 'x')
    write(path, 'b.txt', 'precious\n')
    for (let nth = full ? 1 : 9; ; nth += full ? 1 : 5) {
      const finished = run('loop', ['worktree', 'remove', 'x', '--force'], { cwd: at.root, env: deadlyGit(nth) })
      const kept = refs(at.root)
        .split('\n')
        .filter((ref) => ref.startsWith('refs/loop/salvage/'))
      const isKept = kept.some((ref) => git(at.root, 'ls-tree', '--name-only', ref).includes('b.txt'))
      expect(isKept || read(path, 'b.txt') === 'precious\n').toBe(true)
      if (finished.signal === null) break
    }
    expect([existsSync(path), list(at)]).toEqual([false, []])
    expect(readdirSync(join(at.root, '.git')).filter((name) => name.startsWith('loop-'))).toEqual([])
  })

  it('is finished by the next one, whenever it dies while adding', () => {
    const at = place({ 'loop.json': '{"worktree":{"setup":"echo made >> made.txt"}}' })
    for (let nth = full ? 1 : 7; ; nth += full ? 1 : 6) {
      const name = `x${nth}`
      const finished = run('loop', ['worktree', 'add', name], { cwd: at.root, env: deadlyGit(nth) })
      if (finished.signal === null) break
      const again = worktree(at, 'add', name)
      const path = join(at.root, '.worktrees/loop', slugOf(name))
      expect([again.code === 0 || /has a worktree already/.test(again.stderr), read(path, 'made.txt')]).toEqual([
        true,
        'made\n',
      ])
    }
    expect(list(at).every(({ state }) => state === 'dirty')).toBe(true)
  })
})

it('every record of the worktree verbs has a schema', () => {
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['worktree', 'removed-worktree', 'salvage']))
})
