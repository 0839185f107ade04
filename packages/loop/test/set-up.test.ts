import { chmodSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { git, tempFolder, tempRepo, trust } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { landedIds, leftovers, ok, type Place, place, placeAt, read, results, show, write } from './place.ts'

/** Settings in the main tree, committed as a project would have them. */
function configure(root: string, settings: object): void {
  write(root, 'loop.json', JSON.stringify(settings))
  git(root, 'add', 'loop.json')
  git(root, 'commit', '-qm', 'settings')
  trust(root)
}

const work = (at: Place, agent: string) => at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--jsonl')

describe('the set-up of a new worktree', () => {
  it('runs the commands of loop.json there before the runner, with its place in the environment', () => {
    const at = place()
    configure(at.root, { worktree: { setup: ['echo "$LOOP_ISSUE" > made.log', 'echo two >> made.log'] } })
    write(at.root, '.git/info/exclude', 'made.log\n')
    const id = at.issue('x')
    ok(work(at, at.agent('x', `cat made.log > seen.txt`)))
    expect(read(at.root, 'seen.txt')).toBe(`${id}\ntwo\n`)
    expect(leftovers(at.root)).toEqual([])
  })

  it('ends an issue as failed, before the runner is called, when a command fails, with the end of its output', () => {
    const at = place()
    configure(at.root, { worktree: { setup: 'echo no network; exit 7' } })
    const id = at.issue('x')
    const finished = work(at, at.agent('x', `touch ${at.agents}/called`))
    expect(finished.code).toBe(1)
    const reason = 'the set-up command failed (exit 7): echo no network; exit 7\nno network'
    expect(results(finished)[id]).toMatchObject({ outcome: 'failed', iterations: 0, reason })
    expect(existsSync(join(at.agents, 'called'))).toBe(false)
    expect(show(at.root, id)).toMatchObject({ status: 'open', claim: null })
    expect(leftovers(at.root)).toEqual([])
  })
})

describe('files that git ignores', () => {
  it('are copied with their modes, and never become part of a landing', () => {
    const at = place({ '.gitignore': '.env*\nkeys/\nlocal.db\n', 'a.txt': 'a\n' })
    configure(at.root, { worktree: { copy: ['.env*', 'keys/**'] } })
    write(at.root, '.env', 'A=1\n')
    write(at.root, '.env.local', 'B=2\n')
    write(at.root, 'keys/deep/ä key', 'secret\n')
    write(at.root, 'local.db', 'not asked for\n')
    chmodSync(join(at.root, 'keys/deep/ä key'), 0o600)
    const id = at.issue('x')
    const look = `cat .env .env.local "keys/deep/ä key" > seen.txt; stat -c %a "keys/deep/ä key" >> seen.txt
test ! -e local.db && touch alone.txt`
    ok(work(at, at.agent('x', look)))
    expect(read(at.root, 'seen.txt')).toBe('A=1\nB=2\nsecret\n600\n')
    expect(landedIds(at.root)).toEqual([id])
    expect(git(at.root, 'ls-files')).toBe('.gitignore\na.txt\nalone.txt\nloop.json\nseen.txt')
  })

  it('stay behind where they are tracked or not ignored, and when they are links that lead out', () => {
    const at = place({ '.gitignore': 'conf\nlinks/\n', 'a.txt': 'a\n' })
    git(at.root, 'branch', 'old')
    git(at.root, 'checkout', '-q', 'old')
    write(at.root, 'conf', 'tracked on old\n')
    write(at.root, '.gitignore', 'links/\nconf\n')
    git(at.root, 'add', '-f', 'conf', '.gitignore')
    git(at.root, 'commit', '-qm', 'old')
    git(at.root, 'checkout', '-q', 'main')
    configure(at.root, { worktree: { copy: ['conf', 'links/*', 'nothing'] } })
    write(at.root, 'conf', 'mine\n')
    write(at.root, 'links/real', 'real\n')
    symlinkSync('/etc/passwd', join(at.root, 'links/out'))
    symlinkSync('../../../../etc/hostname', join(at.root, 'links/up'))
    symlinkSync('real', join(at.root, 'links/in'))
    at.issue('x')
    const agent = at.agent('x', `cat conf > seen.txt; ls links >> seen.txt; cat links/in >> seen.txt`)
    const finished = ok(at.loop('run', '--issues', '--base', 'old', '--with', agent, '--verify', 'true'))
    expect(git(at.root, 'show', 'old:seen.txt')).toBe('tracked on old\nin\nreal\nreal')
    expect(finished.stderr).toContain('worktree.copy: conf is not ignored there\n')
    expect(finished.stderr).toContain('worktree.copy: links/out is a link that leads out\n')
    expect(finished.stderr).toContain('worktree.copy: links/up is a link that leads out\n')
    expect(finished.stderr).toContain('worktree.copy: nothing names nothing that git ignores in the main tree\n')
  })

  it('are looked for below the top only', () => {
    const at = place()
    configure(at.root, { worktree: { copy: ['../secret'] } })
    const id = at.issue('x')
    const said = 'expected worktree.copy to name files below the top, got ../secret'
    expect(results(work(at, 'true'))[id]).toMatchObject({ outcome: 'failed', reason: expect.stringContaining(said) })
  })
})

describe('submodules', () => {
  /** A repository with a submodule `lib`, that has a submodule `deep`, both checked out in the main tree. */
  function withSubmodules(): string {
    const deep = tempRepo({ 'd.txt': 'deep\n' })
    const lib = tempRepo({ 'l.txt': 'lib\n' })
    const allow = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet']
    git(lib, ...allow, 'add', deep, 'deep')
    git(lib, 'commit', '-qm', 'deep')
    const root = tempRepo()
    git(root, ...allow, 'add', lib, 'lib of mine')
    git(root, 'commit', '-qm', 'lib')
    git(root, ...allow, 'update', '--init', '--recursive')
    return root
  }

  const root = withSubmodules()

  it('are checked out from the main tree, nested ones too, and leave their commits there', () => {
    git(root, 'config', 'submodule.lib of mine.url', '/nowhere')
    const at = placeAt(root)
    const id = at.issue('x')
    const look = `cat "lib of mine/l.txt" "lib of mine/deep/d.txt" > seen.txt; git -C "lib of mine" config remote.origin.url >> seen.txt`
    const edit = `cd "lib of mine"; echo more >> l.txt; git -c user.name=a -c user.email=a@b commit -qam more; echo dirty > new.txt`
    ok(work(at, at.agent('x', `${look}\n${edit}`)))
    expect(read(root, 'seen.txt')).toBe('lib\ndeep\n/nowhere\n')
    expect(landedIds(root)).toEqual([id])
    const landed = git(root, 'rev-parse', 'HEAD:lib of mine')
    const home = join(root, '.git/modules/lib of mine')
    expect(git(home, 'show', `${landed}:l.txt`)).toBe('lib\nmore')
    const [kept = ''] = git(home, 'for-each-ref', '--format=%(refname)', 'refs/loop/salvage').split('\n')
    expect(git(home, 'show', `${kept}:new.txt`)).toBe('dirty')
    // The submodule has no identity of its own: who commits is whom the repository around it names.
    expect(git(home, 'show', '-s', '--format=%an %ae', kept)).toBe('Tester tester@example.invalid')
  })

  it('say what failed when they are nowhere to be had', () => {
    const clone = join(tempFolder('clone'), 'c')
    git(root, 'clone', '-q', root, clone)
    const at = placeAt(clone)
    git(clone, 'config', 'submodule.lib of mine.url', '/nowhere')
    const id = at.issue('x')
    expect(results(work(at, 'true'))[id]).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(
        /^the worktree could not be set up: the submodule lib of mine could not be checked/,
      ),
    })
    expect(leftovers(clone)).toEqual([])
  })
})
