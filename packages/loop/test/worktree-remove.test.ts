import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { full, git, run, runAlone, script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { slugOf } from '../src/worktree/slug.ts'
import { removedWorktree, salvagedWork } from '../src/worktree/worktree-schema.ts'
import { ok, place, read, write } from './place.ts'

import { add, commit, list, refs, worktree } from './worktrees.ts'

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
      const finished = runAlone('loop', ['worktree', 'remove', 'x', '--force'], { cwd: at.root, env: deadlyGit(nth) })
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
    for (let nth = full ? 1 : 9; ; nth += full ? 1 : 4) {
      const name = `x${nth}`
      const finished = runAlone('loop', ['worktree', 'add', name], { cwd: at.root, env: deadlyGit(nth) })
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
