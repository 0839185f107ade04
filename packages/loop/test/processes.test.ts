// A landing is made of processes: each that is added here is paid by every issue.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { cleanEnv, script, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { landedIds, ok, placeAt, read } from './place.ts'

/** A folder whose `git` and `tissue` note in `calls` which command they are called for. */
function noting(): string {
  const folder = tempFolder('noting')
  for (const name of ['git', 'tissue']) {
    const real = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8', env: cleanEnv() }).trim()
    const verb = 'for word; do case $word in *=*|-c) ;; *) break ;; esac; done'
    script(join(folder, name), `#!/bin/sh\n${verb}\necho "${name} $word" >>${folder}/calls\nexec ${real} "$@"\n`)
  }
  return folder
}

it('a landed issue starts 14 git commands and 6 of tissue, and a run 2 of git', () => {
  const folder = noting()
  const at = placeAt(tempRepo(), { PATH: `${folder}:${toolPath()}` })
  const ids = [at.issue('one'), at.issue('two')]
  ok(at.loop('run', '--issues', '--with', at.agent('x', 'echo x > "$title"'), '--verify', 'true'))
  expect(landedIds(at.root)).toEqual(ids)
  const calls = read(folder, 'calls').trimEnd().split('\n')
  const issue = [
    ...['tissue claim', 'git update-ref', 'git worktree', 'tissue show'],
    ...['git add', 'git reset', 'git write-tree', 'git commit-tree', 'git update-ref', 'git read-tree', 'git clean'],
    ...['tissue show', 'git read-tree', 'git clean', 'tissue show', 'git worktree', 'git merge', 'tissue close'],
    ...['git update-ref', 'tissue ready'],
  ]
  const [first, second] = [calls.indexOf('tissue claim'), calls.lastIndexOf('tissue claim')]
  expect(calls.slice(second)).toEqual(issue)
  // The tree that the first issue began at is asked for, that of the second was made here.
  expect(calls.slice(first, second).filter((call) => call !== 'git rev-parse')).toEqual(issue)
  expect(calls.slice(first, second)).toHaveLength(issue.length + 1)
  expect(calls.slice(0, first).filter((call) => call.startsWith('git'))).toEqual(['git rev-parse', 'git config'])
})
