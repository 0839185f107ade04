import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, landedIds, leftovers, ok, place, placeAt, read, results, show, write } from './place.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

/** Replaces `line N` by `line N: title` where the title begins with N. */
const editsOwnLine = 'n=$(echo "$title" | cut -d" " -f1); sed -i "s/^line $n\\$/line $n: $title/" f.txt\n'

describe('loop run on a clean checked-out base', () => {
  it('lands two near-by edits, the second rebased, and closes both', () => {
    const at = place({ 'f.txt': numbered(20) })
    const ids = [at.issue('5 first'), at.issue('11 second')]
    const agent = at.agent(
      'edit',
      `${editsOwnLine}while [ ! -e ${at.agents}/5 ] && [ $n = 11 ]; do sleep 0.05; done; touch ${at.agents}/$n; sleep 0.3`,
    )
    const finished = ok(
      at.loop('run', '--issues', '-j', '2', '--with', agent, '--verify', 'grep -q : f.txt', '--jsonl'),
    )
    expect(Object.values(results(finished)).map(({ outcome }) => outcome)).toEqual(['landed', 'landed'])
    expect(landedIds(at.root).sort()).toEqual([...ids].sort())
    expect(read(at.root, 'f.txt')).toContain('line 5: 5 first\n')
    expect(read(at.root, 'f.txt')).toContain('line 11: 11 second\n')
    expect(git(at.root, 'status', '--porcelain', '--', ':!.tissue')).toBe('')
    expect(git(at.root, 'log', '--merges', '--format=%h')).toBe('')
    expect(ids.map((id) => show(at.root, id).status)).toEqual(['closed', 'closed'])
    expect(leftovers(at.root)).toEqual([])
  })

  it('resolves a conflict on the same line by trying again, and keeps the first try', () => {
    const at = place({ 'f.txt': 'value=0\n' })
    const ids = [at.issue('1 more'), at.issue('2 more')]
    const agent = at.agent(
      'add',
      `v=$(sed -n 's/^value=//p' f.txt); sleep 0.5; echo "value=$((v + 1))" > f.txt; echo "$title" >> f.txt`,
    )
    const finished = ok(at.loop('run', '--issues', '-j', '2', '--with', agent, '--verify', 'true', '--jsonl'))
    expect(Object.values(results(finished)).map(({ outcome }) => outcome)).toEqual(['landed', 'landed'])
    expect(read(at.root, 'f.txt')).toMatch(/^value=2\n/)
    expect(landedIds(at.root).sort()).toEqual([...ids].sort())
    expect(leftovers(at.root)).toEqual([])
    expect(ids.map((id) => show(at.root, id).status)).toEqual(['closed', 'closed'])
  })

  it('lands beside a worktree whose folder went away and came back as a file', () => {
    const at = place()
    const other = join(tempFolder('other'), 'w')
    git(at.root, 'worktree', 'add', '--quiet', other, '-b', 'other')
    rmSync(other, { recursive: true })
    writeFileSync(other, '')
    const id = at.issue('one')
    const agent = at.agent('edit', 'echo 1 > "$title"')
    const finished = at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--jsonl')
    expect(results(finished)).toMatchObject({ [id]: { outcome: 'landed' } })
  })

  it('tells the next iteration which files conflicted', () => {
    const at = place({ 'f.txt': 'value=0\n' })
    at.issue('a')
    const agent = at.agent(
      'race',
      `echo "mine $LOOP_ITERATION" > f.txt
if [ $LOOP_ITERATION = 1 ]; then (cd ${at.root} && echo theirs > f.txt && git commit -qam theirs); fi`,
    )
    const finished = ok(at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--jsonl'))
    expect(Object.values(results(finished))).toMatchObject([{ outcome: 'landed', iterations: 2 }])
    const conflict = events(at.root).find(({ event }) => event === 'conflict')
    expect(conflict).toMatchObject({ files: ['f.txt'] })
    expect(git(at.root, 'show', `${conflict?.['salvage']}:f.txt`)).toBe('mine 1')
    expect(read(at.root, 'f.txt')).toBe('mine 2\n')
    expect(git(at.root, 'log', '--format=%s')).toBe('a\ntheirs\nStart')
  })

  it('closes an issue that another landing has fixed, without a commit', () => {
    const at = place({ 'f.txt': 'bad\n' })
    const ids = [at.issue('first'), at.issue('second')]
    const agent = at.agent('fix', 'grep -q bad f.txt || exit 3; sleep 0.5; echo good > f.txt')
    const finished = ok(
      at.loop('run', '--issues', '-j', '2', '--with', agent, '--verify', 'grep -q good f.txt', '--jsonl'),
    )
    const outcomes = Object.values(results(finished)).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual(['already-done', 'landed'])
    expect(landedIds(at.root).length).toBe(1)
    expect(ids.map((id) => show(at.root, id).status)).toEqual(['closed', 'closed'])
  })

  it('makes one commit of an issue however often it was tried', () => {
    const at = place()
    const id = at.issue('try')
    const agent = at.agent('try', 'echo "$LOOP_ITERATION" > n.txt')
    ok(at.loop('run', '--issues', '--with', agent, '--verify', 'grep -q 3 n.txt'))
    expect(landedIds(at.root)).toEqual([id])
    expect(git(at.root, 'log', '--format=%s')).toBe('try\nStart')
  })

  it('keeps commits that the runner made itself, also on a branch of its own', () => {
    const at = place()
    at.issue('own')
    const agent = at.agent(
      'own',
      'git checkout -qb elsewhere; echo x > x.txt; git add x.txt; git commit -qm mine; echo y > y.txt',
    )
    ok(at.loop('run', '--issues', '--with', agent, '--verify', 'test -e y.txt'))
    expect(git(at.root, 'log', '--format=%s')).toBe('own\nmine\nStart')
    expect(leftovers(at.root)).toEqual([])
  })

  it('commits neither ignored files, nor what verify leaves, nor a store of the suite', () => {
    const at = place({ '.gitignore': 'built/\n', 'a.txt': 'a\n' })
    at.issue('x')
    const agent = at.agent(
      'mess',
      'mkdir -p built .jwz .tissue; echo 1 > built/x; echo 1 > .jwz/x; echo 1 > .tissue/issues.jsonl; echo "$LOOP_ITERATION" > b.txt',
    )
    ok(
      at.loop(
        'run',
        '--issues',
        '--with',
        agent,
        '--verify',
        'echo junk > coverage.txt; test -e built/x && grep -q 2 b.txt',
      ),
    )
    expect(git(at.root, 'ls-tree', '-r', '--name-only', 'main')).toBe('.gitignore\na.txt\nb.txt')
  })

  it('lands while the tracked issue log is modified in the main tree', () => {
    const at = place()
    at.issue('x')
    git(at.root, 'add', '-f', '.tissue')
    git(at.root, 'commit', '-qm', 'track issues')
    const id = at.issue('y')
    const agent = at.agent('touch', 'echo "$title" > "$title.txt"; git rm -q --cached -r .tissue; rm -rf .tissue')
    ok(at.loop('run', '--issues', '--with', agent, '--verify', 'true'))
    expect(existsSync(join(at.root, 'x.txt')) && existsSync(join(at.root, 'y.txt'))).toBe(true)
    expect(git(at.root, 'status', '--porcelain')).toBe(' M .tissue/issues.jsonl')
    expect(show(at.root, id).status).toBe('closed')
  })
})

describe('loop run beside a dirty main tree', () => {
  function dirty() {
    const at = place({ 'f.txt': 'f\n', 'g.txt': 'g\n' })
    write(at.root, 'g.txt', 'staged\n')
    git(at.root, 'add', 'g.txt')
    write(at.root, 'g.txt', 'mine, unsaved\n')
    write(at.root, 'untracked.txt', 'mine too\n')
    git(at.root, 'stash', 'list')
    return at
  }
  const state = (root: string) => [
    git(root, 'ls-files', '--stage', 'g.txt'),
    read(root, 'g.txt'),
    read(root, 'untracked.txt'),
    git(root, 'stash', 'list'),
  ]

  it('fast-forwards around changes that the landing does not touch', () => {
    const at = dirty()
    const before = state(at.root)
    at.issue('x')
    ok(at.loop('run', '--issues', '--with', at.agent('f', 'echo new > f.txt'), '--verify', 'true'))
    expect(read(at.root, 'f.txt')).toBe('new\n')
    expect(state(at.root)).toEqual(before)
  })

  it.each([
    ['changes to a tracked file', 'echo new > g.txt'],
    ['an untracked file', 'echo new > untracked.txt'],
  ])('parks a landing that would overwrite %s, and touches nothing', (_, edit) => {
    const at = dirty()
    const before = state(at.root)
    const id = at.issue('x')
    const finished = at.loop('run', '--issues', '--with', at.agent('e', edit), '--verify', 'true', '--jsonl')
    expect(finished.code).toBe(1)
    expect(results(finished)[id]).toMatchObject({ outcome: 'parked' })
    expect(state(at.root)).toEqual(before)
    expect(git(at.root, 'log', '--format=%s')).toBe('Start')
    const issue = show(at.root, id)
    expect(issue).toMatchObject({ status: 'paused', claim: null })
    expect(issue.comments.at(-1)?.body).toMatch(/^Landing on main was not possible: [\s\S]*branch loop\/issue\//)
    const [branch = ''] = leftovers(at.root)
    expect(branch).toMatch(/^refs\/heads\/loop\/issue\//)
    expect(git(at.root, 'log', '-1', '--format=%s', branch)).toBe('x')

    git(at.root, 'reset', '-q', '--hard')
    git(at.root, 'clean', '-qf', 'untracked.txt')
    const again = run('loop', ['run', '--issues', '-', '--with', join(at.agents, 'e'), '--verify', 'true'], {
      cwd: at.root,
      input: `${id}\n`,
    })
    expect(again.code).toBe(0)
    expect(leftovers(at.root)).toEqual([])
    expect(landedIds(at.root)).toEqual([id])
  })

  it('parks while the base is being rebased', () => {
    const at = place({ 'f.txt': 'f\n' })
    git(at.root, 'checkout', '-qb', 'other')
    write(at.root, 'f.txt', 'other\n')
    git(at.root, 'commit', '-qam', 'other')
    git(at.root, 'checkout', '-q', 'main')
    write(at.root, 'f.txt', 'main\n')
    git(at.root, 'commit', '-qam', 'main')
    expect(() => git(at.root, 'rebase', 'other')).toThrow()
    const id = at.issue('x')
    const finished = at.loop(
      'run',
      '--issues',
      '--base',
      'main',
      '--with',
      at.agent('x', 'echo x > x.txt'),
      '--verify',
      'true',
      '--jsonl',
    )
    expect(results(finished)[id]).toMatchObject({
      outcome: 'parked',
      reason: expect.stringContaining('main is being rebased'),
    })
    git(at.root, 'rebase', '--abort')
    expect(git(at.root, 'log', '-1', '--format=%s', 'main')).toBe('main')
  })
})

describe('loop run where the base is not checked out', () => {
  it('moves the ref only', () => {
    const at = place()
    git(at.root, 'branch', 'release')
    const id = at.issue('x')
    ok(at.loop('run', '--issues', '--base', 'release', '--with', at.agent('x', 'echo x > x.txt'), '--verify', 'true'))
    expect(landedIds(at.root, 'release')).toEqual([id])
    expect(existsSync(join(at.root, 'x.txt'))).toBe(false)
    expect(git(at.root, 'log', '--format=%s', 'main')).toBe('Start')
  })

  it('works in a bare repository with worktrees, from a subfolder of one', () => {
    const folder = tempFolder('bare')
    git(folder, 'clone', '-q', '--bare', tempRepo({ 'sub/a.txt': 'a\n' }), 'repo.git')
    git(join(folder, 'repo.git'), 'worktree', 'add', '-q', join(folder, 'tree'), 'main')
    const at = placeAt(join(folder, 'tree', 'sub'))
    const id = at.issue('x')
    ok(at.loop('run', '--issues', '--with', at.agent('x', 'echo x > x.txt'), '--verify', 'test -e x.txt'))
    expect(landedIds(at.root)).toEqual([id])
    expect(existsSync(join(folder, 'tree', 'x.txt'))).toBe(true)
    expect(git(join(folder, 'tree'), 'status', '--porcelain')).toBe('')
    expect(readdirSync(join(folder, 'repo.git', '.worktrees', 'loop'))).toEqual([])
  })

  it('works from inside a linked worktree and lands on what the main tree has checked out', () => {
    const main = tempRepo()
    git(main, 'worktree', 'add', '-q', '-b', 'side', join(main, '..', 'side'))
    const at = placeAt(join(main, '..', 'side'))
    const id = at.issue('x')
    ok(at.loop('run', '--issues', '--with', at.agent('x', 'echo x > x.txt'), '--verify', 'test -e x.txt'))
    expect(landedIds(main, 'main')).toEqual([id])
    expect(landedIds(main, 'side')).toEqual([])
    expect(existsSync(join(main, 'x.txt'))).toBe(true)
    git(main, 'worktree', 'remove', '--force', join(main, '..', 'side'))
  })

  it('wants a base named when HEAD is detached', () => {
    const at = place()
    git(at.root, 'checkout', '-q', '--detach')
    at.issue('x')
    const finished = at.loop('run', '--issues', '--with', 'true', '--verify', 'true')
    expect([finished.code, finished.stdout]).toEqual([2, ''])
    expect(finished.stderr).toBe(
      'loop: expected a branch to be checked out in the main tree, its HEAD is detached; name one with --base\n',
    )
  })
})

it('keeps its worktrees out of git status, and says so once only', () => {
  const at = place()
  at.issue('x')
  at.issue('y')
  const agent = at.agent('look', `git -C ${at.root} status --porcelain > ${at.agents}/status; echo 1 > "$title"`)
  ok(at.loop('run', '--issues', '--with', agent, '--verify', 'true'))
  expect(read(at.agents, 'status')).not.toContain('.worktrees')
  const lines = read(at.root, '.git/info/exclude').split('\n')
  expect(lines.filter((line) => line === '/.worktrees/')).toHaveLength(1)
})
