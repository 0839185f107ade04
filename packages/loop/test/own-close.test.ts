import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { git, run, script, tempFolder, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { landedIds, leftovers, ok, place, results, show } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const commit = 'echo 1 >"$title.txt"; git add .; git commit -qm work'
const closes = 'tissue close "$LOOP_ISSUE" -m "all done"'

/** The newest comment of an issue, and what is in the ref that it names. */
function keptOf(root: string, id: string): { comment: string; files: string[] } {
  const comment = show(root, id).comments.at(-1)?.body ?? ''
  const ref = /refs\/loop\/salvage\/\S*[^.\s]/.exec(comment)?.[0]
  return { comment, files: ref === undefined ? [] : git(root, 'ls-tree', '--name-only', ref).split('\n') }
}

describe('a runner that closes its issue', () => {
  it('does not lose its work: it lands, or the issue is open again and says where the work is', () => {
    const at = place()
    const agent = at.agent('x', `${commit}; ${closes}`)
    const work = (id: string, ...more: string[]) =>
      at.loop('run', '--issue', id, '--with', agent, '--verify', 'test ! -f bad.txt', '--jsonl', ...more)
    const good = at.issue('good')
    const landed = work(good)
    expect([landed.code, results(landed)[good]?.outcome, landedIds(at.root)]).toEqual([0, 'landed', [good]])
    expect(show(at.root, good)).toMatchObject({ status: 'closed', claim: null })
    expect(git(at.root, 'ls-tree', '--name-only', 'main')).toContain('good.txt')
    const bad = at.issue('bad')
    const given = work(bad, '--max-iterations', '2')
    expect([given.code, results(given)[bad]]).toMatchObject([9, { outcome: 'gave-up', iterations: 2 }])
    expect(show(at.root, bad)).toMatchObject({ status: 'paused', claim: null })
    expect(keptOf(at.root, bad)).toEqual({
      comment: expect.stringContaining('Given up after 2 iterations: the verify command failed'),
      files: expect.arrayContaining(['bad.txt']),
    })
    expect([landedIds(at.root), leftovers(at.root)]).toEqual([[good], []])
  })

  it('keeps it while the claim would have been renewed', () => {
    const at = place()
    const id = at.issue('x')
    const folder = tempFolder('counting')
    const refused = join(folder, 'refused')
    const real = `#!/bin/sh\nPATH=${toolPath()}\n`
    const counted = `tissue "$@"; code=$?\n[ "$1 $code" = 'claim 5' ] && : >${refused}\nexit $code\n`
    script(join(folder, 'tissue'), `${real}${counted}`)
    const agent = at.agent('x', `${commit}; ${closes}; while ! test -e ${refused}; do sleep 0.05; done`)
    const args = ['run', '--issue', id, '--with', agent, '--verify', 'true', '--lease', '2s', '--jsonl']
    const landed = run('loop', args, { cwd: at.root, env: { PATH: [folder, toolPath()].join(delimiter) } })
    expect([landed.code, results(landed)[id]?.outcome, landedIds(at.root)]).toEqual([0, 'landed', [id]])
    expect(show(at.root, id)).toMatchObject({ status: 'closed', claim: null })
  })

  it('has it open again also when its run was killed before it landed', async () => {
    const at = place()
    const id = at.issue('x')
    const waits = join(at.agents, 'closed')
    const agent = at.agent('x', `${commit}; ${closes}; : >${waits}; exec sleep 600`)
    const started = at.start('run', '--issue', id, '--with', agent, '--verify', 'true')
    while (!existsSync(waits)) await new Promise((done) => setTimeout(done, 20))
    started.child.kill('SIGKILL')
    await started.done
    ok(at.doctor('--fix'))
    expect(show(at.root, id)).toMatchObject({ status: 'open', claim: null })
    const again = at.loop('run', '--issue', id, '--with', 'true', '--verify', 'true', '--jsonl')
    expect([results(again)[id]?.outcome, landedIds(at.root)]).toEqual(['landed', [id]])
  })

  it('is not taken for somebody else: what another closes is over, and says where the work is', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent('x', `${commit}; tissue close "$LOOP_ISSUE" --as eve --force -m "not needed"`)
    const skipped = at.loop('run', '--issue', id, '--with', agent, '--verify', 'true', '--jsonl')
    expect([skipped.code, results(skipped)[id]]).toMatchObject([
      1,
      { outcome: 'skipped', reason: 'the issue was closed by eve' },
    ])
    expect(show(at.root, id)).toMatchObject({ status: 'closed', claim: null })
    expect(keptOf(at.root, id)).toEqual({
      comment: expect.stringContaining('Not landed: the issue was closed by eve'),
      files: expect.arrayContaining(['x.txt']),
    })
    expect([landedIds(at.root), leftovers(at.root)]).toEqual([[], []])
  })
})

describe('the agent of a session that closes its issue', () => {
  it('says with it that it is done; the same holds', () => {
    const at = place()
    const session = sessionAt(at, 's-1')
    const begin = (title: string) => {
      const id = at.issue(title)
      ok(session.loop('start', '--issue', id, '--verify', 'test ! -f bad.txt'))
      return id
    }
    const commitFile = (name: string) => {
      const folder = join(at.root, '.worktrees', 'loop')
      const worktree = join(folder, readdirSync(folder)[0] ?? '')
      writeFileSync(join(worktree, name), 'x\n')
      git(worktree, 'add', '.')
      git(worktree, 'commit', '-qm', `Add ${name}`)
    }
    const close = (id: string, ...as: string[]) => {
      const env = { CLAUDE_CODE_SESSION_ID: 's-1' }
      ok(run('tissue', ['close', id, '--force', ...as], { cwd: at.root, env }))
      expect(show(at.root, id).status).toBe('closed')
    }
    const good = begin('good')
    commitFile('good.txt')
    close(good)
    expect(answered(session.stop('')).warning).toMatch(/is landed on main as [0-9a-f]{10} after 1 iteration/)
    expect([show(at.root, good).status, landedIds(at.root)]).toEqual(['closed', [good]])

    const bad = begin('bad')
    for (const name of ['bad.txt', 'c.txt']) {
      commitFile(name)
      close(bad, '--as', 'claude-s1')
      expect(answered(session.stop('')).block).toContain('the verify command failed')
      expect(show(at.root, bad)).toMatchObject({ status: 'in_progress', claim: { by: 'claude-s1' } })
    }
    commitFile('d.txt')
    close(bad)
    expect(answered(session.stop('')).warning).toContain('is stuck')
    expect(show(at.root, bad)).toMatchObject({ status: 'paused', claim: null })
    expect(keptOf(at.root, bad).files).toContain('bad.txt')

    for (const [word, end] of [
      ['done', 'skipped after 1 iteration: the issue was closed by eve'],
      ['stuck', 'is stuck'],
    ]) {
      const other = begin('other')
      commitFile('other.txt')
      close(other, '--as', 'eve')
      expect(answered(session.stop(`<loop-done>${word}</loop-done>`)).warning).toContain(end)
      expect(show(at.root, other)).toMatchObject({ status: 'closed', claim: null })
      expect(keptOf(at.root, other).files).toContain('other.txt')
    }
    expect(landedIds(at.root)).toEqual([good])
  })
})
