import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { git, script, start, tempFolder, tempRepo, trust } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listedEntry } from '../src/land/queue-schema.ts'
import { events, landedIds, leftovers, ok, type Place, place, placeAt, read, results, show, write } from './place.ts'

type Shared = { bare: string; clone(): Place }

/** A bare repository and clones of it, on branch main. */
function shared(files: Record<string, string> = { 'f.txt': 'f\n', 'g.txt': 'g\n' }): Shared {
  const folder = tempFolder('shared')
  const bare = join(folder, 'origin.git')
  git(folder, 'clone', '-q', '--bare', tempRepo(files), 'origin.git')
  let count = 0
  const clone = () => {
    count += 1
    git(folder, 'clone', '-q', bare, `clone-${count}`)
    const root = join(folder, `clone-${count}`)
    git(root, 'config', 'user.name', 'Tester')
    git(root, 'config', 'user.email', 'tester@example.invalid')
    return placeAt(root)
  }
  return { bare, clone }
}

const tip = (root: string, ref = 'main') => git(root, 'rev-parse', ref)
const writesTitle = 'echo "$title" > "$title.txt"'

function commit(root: string, path: string, text: string): void {
  write(root, path, text)
  git(root, 'add', path)
  git(root, 'commit', '-qm', `change ${path}`)
}

const land = (at: Place, agent: string, ...more: string[]) =>
  at.loop('run', '--issues', '--with', at.agent('agent', agent), '--verify', 'true', '--jsonl', ...more)

describe('landing with --push', () => {
  it('moves the base of the remote and then the local one', () => {
    const { bare, clone } = shared()
    const at = clone()
    const id = at.issue('x')
    expect(results(ok(land(at, writesTitle, '--push')))[id]).toMatchObject({ outcome: 'landed', commit: tip(bare) })
    expect([landedIds(bare), tip(at.root), tip(at.root, 'origin/main')]).toEqual([[id], tip(bare), tip(bare)])
    expect(events(at.root).map(({ event }) => event)).toEqual(expect.arrayContaining(['landing', 'pushed', 'landed']))
    expect(git(at.root, 'status', '--porcelain', '--', ':!.tissue')).toBe('')
    expect(leftovers(at.root)).toEqual([])
  })

  it('means a remote that is a relative path from the top of the main tree, as git does there', () => {
    const { bare, clone } = shared()
    const [at, other] = [clone(), clone()]
    git(at.root, 'remote', 'set-url', 'origin', '../origin.git')
    commit(other.root, 'theirs.txt', 'theirs\n')
    git(other.root, 'push', '-q')
    const id = at.issue('x')
    expect(results(ok(land(at, writesTitle, '--push')))[id]).toMatchObject({ outcome: 'landed', commit: tip(bare) })
    expect(tip(at.root)).toBe(tip(bare))
    const proposed = at.issue('y')
    const ended = results(ok(land(at, writesTitle, '--push', '--pr', 'echo there')))[proposed]
    expect(ended).toMatchObject({ outcome: 'proposed', reason: 'there' })
    expect(git(bare, 'for-each-ref', '--format=%(refname)', 'refs/heads/loop')).not.toBe('')
  })

  it('lands on what the remote has by now, and takes commits along that only the local base has', () => {
    const { bare, clone } = shared()
    const [at, other] = [clone(), clone()]
    commit(other.root, 'theirs.txt', 'theirs\n')
    git(other.root, 'push', '-q')
    at.issue('x')
    ok(land(at, writesTitle, '--push'))
    expect(git(bare, 'log', '--format=%s', 'main')).toBe('x\nchange theirs.txt\nStart')
    expect([tip(at.root), read(at.root, 'theirs.txt')]).toEqual([tip(bare), 'theirs\n'])
    commit(at.root, 'mine.txt', 'mine\n')
    at.issue('y')
    ok(land(at, writesTitle, '--push'))
    expect(git(bare, 'log', '-2', '--format=%s', 'main')).toBe('y\nchange mine.txt')
    expect(tip(at.root)).toBe(tip(bare))
  })

  it('tries again when another pushed first, until both have landed', async () => {
    const { bare, clone } = shared()
    const places = [clone(), clone()]
    const ids = places.map((at, index) => [at.issue(`a${index}`), at.issue(`b${index}`)])
    const runs = places.map((at) =>
      start('loop', ['run', '--issues', '--push', '--with', at.agent('w', writesTitle), '--verify', 'true'], {
        cwd: at.root,
      }),
    )
    for (const started of runs) expect((await started.done).code).toBe(0)
    expect(landedIds(bare).sort()).toEqual(ids.flat().sort())
    for (const { root } of places) {
      git(root, 'pull', '-q', '--ff-only')
      expect([tip(root), leftovers(root)]).toEqual([tip(bare), []])
    }
  })

  it('lands on the remote and leaves the main tree behind that has changes in the way', () => {
    const { bare, clone } = shared()
    const at = clone()
    write(at.root, 'f.txt', 'mine\n')
    const before = tip(at.root)
    const id = at.issue('x')
    const landed = ok(land(at, 'echo theirs > f.txt', '--push'))
    expect(landed.stderr).toMatch(/landed on origin, your main stays behind: /)
    expect([landedIds(bare), tip(at.root), read(at.root, 'f.txt')]).toEqual([[id], before, 'mine\n'])
    expect([show(at.root, id).status, leftovers(at.root)]).toEqual(['closed', []])
  })

  it('parks when local and remote base have diverged, or the remote refuses', () => {
    const { bare, clone } = shared()
    const [at, other] = [clone(), clone()]
    commit(other.root, 'theirs.txt', 'theirs\n')
    git(other.root, 'push', '-q')
    commit(at.root, 'mine.txt', 'mine\n')
    const there = tip(bare)
    const id = at.issue('x')
    const diverged = land(at, writesTitle, '--push')
    expect(diverged.code).toBe(1)
    expect(results(diverged)[id]).toMatchObject({ outcome: 'parked', reason: expect.stringContaining('diverged') })
    git(at.root, 'reset', '-q', '--hard', 'origin/main')
    git(at.root, 'pull', '-q', '--ff-only')
    script(join(bare, 'hooks', 'pre-receive'), '#!/bin/sh\necho only on Mondays; exit 1\n')
    const other2 = at.issue('y')
    const refused = results(land(at, writesTitle, '--push'))[other2]
    expect(refused).toMatchObject({ outcome: 'parked', reason: expect.stringContaining('only on Mondays') })
    expect(tip(bare)).toBe(there)
    expect(leftovers(at.root).filter((name) => name.endsWith('.json'))).toHaveLength(2)
  })

  it('queues what cannot reach its remote, and touches nothing', () => {
    const { bare, clone } = shared()
    const at = clone()
    renameSync(bare, `${bare}.away`)
    const before = tip(at.root)
    const id = at.issue('x')
    const queued = land(at, writesTitle, '--push')
    expect([queued.code, results(queued)[id]?.outcome]).toEqual([1, 'queued'])
    expect(tip(at.root)).toBe(before)
    expect(show(at.root, id)).toMatchObject({ status: 'paused', claim: null })
    expect(show(at.root, id).comments.at(-1)?.body).toMatch(/^Not landed on main yet .*origin cannot be reached/)
    const [branch = ''] = leftovers(at.root)
    expect(git(at.root, 'log', '-1', '--format=%s', branch)).toBe('x')
    const [entry] = z.array(listedEntry).parse(JSON.parse(ok(at.loop('queue', 'list', '--json')).stdout))
    expect(entry).toMatchObject({
      issue: id,
      outcome: 'queued',
      push: 'origin',
      made_here: true,
      sha: tip(at.root, branch),
    })
    expect(ok(at.loop('queue', 'list')).stdout).toMatch(new RegExp(`^${id}  queued  loop/issue/.*  origin cannot be`))
    expect(ok(at.loop('queue', 'list', '--quiet')).stdout).toBe(`${id}\n`)
  })

  it('wants a remote', () => {
    const at = place()
    expect(land(at, 'true', '--push')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^loop: expected a remote to push main to, got none; git remote add origin URL\n/),
    })
    git(at.root, 'remote', 'add', 'here', at.agents)
    git(at.root, 'remote', 'add', 'there', at.agents)
    expect(land(at, 'true', '--push').stderr).toMatch(/got here, there; name one of them in loop\.json/)
  })
})

describe('how a change gets onto the base', () => {
  const commitsTwice =
    'echo 1 > a; git add a; git commit -qm one; echo 2 > b; git add b; git commit -qm two; echo 3 > c'

  it('squashes the commits of an issue into one', () => {
    const at = place()
    const id = at.issue('three  in one')
    ok(land(at, commitsTwice, '--strategy', 'squash'))
    expect(git(at.root, 'log', '--format=%s', 'main')).toBe('three in one\nStart')
    expect([landedIds(at.root), leftovers(at.root)]).toEqual([[id], []])
    expect(git(at.root, 'ls-tree', '--name-only', 'main')).toBe('a\na.txt\nb\nc')
  })

  it('joins them by a merge commit', () => {
    const { bare, clone } = shared()
    const at = clone()
    write(at.root, 'loop.json', '{"strategy": "merge", "push": "origin"}')
    trust(at.root)
    const id = at.issue('x')
    ok(land(at, commitsTwice))
    expect(git(bare, 'log', '--first-parent', '--format=%s', 'main')).toBe('Merge: x\nStart')
    expect(git(bare, 'log', '--format=%s', 'main^2')).toBe('x\ntwo\none\nStart')
    expect([show(at.root, id).status, leftovers(at.root)]).toEqual(['closed', []])
  })

  it('proposes the branch instead with --pr, and keeps branch and issue', () => {
    const { bare, clone } = shared()
    const at = clone()
    const id = at.issue('x')
    const pr = `echo making it; echo "https://forge.example.invalid/$LOOP_BASE/$LOOP_ISSUE/$LOOP_TITLE?$LOOP_BRANCH"`
    const finished = ok(land(at, writesTitle, '--push', '--pr', pr))
    const [branch = ''] = leftovers(at.root)
    const url = `https://forge.example.invalid/main/${id}/x?${branch.replace('refs/heads/', '')}`
    expect(results(finished)[id]).toMatchObject({ outcome: 'proposed', reason: url })
    expect([tip(bare, branch), git(bare, 'log', '--format=%s', 'main')]).toEqual([tip(at.root, branch), 'Start'])
    expect(show(at.root, id)).toMatchObject({ status: 'paused', claim: null })
    expect(show(at.root, id).comments.at(-1)?.body).toContain(url)
    expect(events(at.root).find(({ event }) => event === 'proposed')).toMatchObject({ url })
    const broken = at.issue('y')
    const parked = land(at, writesTitle, '--pr', 'echo no forge >&2; exit 4')
    expect(results(parked)[broken]).toMatchObject({ outcome: 'parked', reason: expect.stringContaining('no forge') })
  })
})

it('tells whoever made a conflicting change what the other side did', () => {
  const at = place({ 'f.txt': 'one\ntwo\nthree\n', 'other.txt': 'o\n' })
  at.issue('mine')
  const theirs = `(cd ${at.root} && echo other >> other.txt && sed -i 's/two/their two/' f.txt && git commit -qam 'their change')`
  const agent = at.agent(
    'race',
    `[ $LOOP_ITERATION = 1 ] || printf '%s' "$prompt" > ${at.agents}/told
sed -i "s/two\\$/my two/" f.txt; if [ $LOOP_ITERATION = 1 ]; then ${theirs}; fi`,
  )
  ok(at.loop('run', '--issues', '--with', agent, '--verify', 'true'))
  const told = read(at.agents, 'told')
  expect(told).toContain('conflicts with what has landed since in f.txt')
  expect(told).toMatch(/\+\+<<<<<<<[\s\S]*their two[\s\S]*my two[\s\S]*>>>>>>>/)
  expect(told).toMatch(/[0-9a-f]{7,} Tester: their change\n[\s\S]*-two\n\+their two\n/)
  expect(told).not.toContain('other.txt')
  expect(existsSync(join(at.root, '.worktrees', 'loop'))).toBe(true)
  expect(readdirSync(join(at.root, '.worktrees', 'loop'))).toEqual([])
})
