// Git killed in the middle of `worktree add`, with the loop that called it: some files are there, and no index.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, git, script, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { landedIds, leftovers, placeAt, read, show } from './place.ts'

/** A place whose first worktree is left half made, with all that made it killed. */
function placeWithHalf() {
  const folder = tempFolder('half')
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8', env: cleanEnv() }).trim()
  const where = `w=$(${real} worktree list --porcelain | sed -n 's/^worktree //p' | tail -1); d=$(sed 's/gitdir: //' "$w/.git")`
  const halve = `rm -f "$d/index" "$w/b.txt"; touch "$d/index.lock"; kill -9 $PPID; sleep 1; exit 137`
  const once = `[ -e ${folder}/done ] || { touch ${folder}/done; ${real} "$@"; ${where}; ${halve}; }`
  script(join(folder, 'git'), `#!/bin/sh\ncase "$*" in *'worktree add'*) ${once} ;; esac\nexec ${real} "$@"\n`)
  return placeAt(tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' }), { PATH: `${folder}:${toolPath()}` })
}

it('is no work that deletes files: the next run begins anew', () => {
  const at = placeWithHalf()
  const id = at.issue('x')
  const agent = `case $prompt in *'go on from it'*) ;; *) echo "$title" >>x.txt ;; esac`
  const args = ['run', '--issues', '--with', at.agent('x', agent), '--verify', 'true'] as const
  expect(at.loop(...args).signal).toBe('SIGKILL')
  expect(at.loop(...args)).toMatchObject({ code: 0 })
  expect(landedIds(at.root)).toEqual([id])
  expect([read(at.root, 'x.txt'), read(at.root, 'b.txt')]).toEqual(['x\n', 'b\n'])
  expect(show(at.root, id).status).toBe('closed')
  expect(leftovers(at.root)).toEqual([])
})

it('is made anew by hand', async () => {
  const at = placeWithHalf()
  expect((await at.start('worktree', 'add', 'mine').done).signal).toBe('SIGKILL')
  const made = at.loop('worktree', 'add', 'mine')
  expect(made).toMatchObject({ code: 0 })
  const path = made.stdout.trim()
  expect(existsSync(join(path, 'b.txt'))).toBe(true)
  expect(git(path, 'status', '--porcelain')).toBe('')
  expect(readdirSync(join(at.root, '.worktrees', 'loop'))).toHaveLength(1)
})
