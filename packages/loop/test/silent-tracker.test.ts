import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run, script, tempFolder, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { leftovers, place, results, show } from './place.ts'

/**
 * A run over issues with a `tissue` before the real one on PATH that does what it is told, but keeps its answer to
 * itself: the first `times` times that the verb is called for the issue.
 */
function runWithMuteTissue(verb: string, times: number, isListed: boolean) {
  const at = place()
  const ids = ['one', 'two', 'three'].map((title) => at.issue(title))
  const mute = ids[1] ?? ''
  const folder = tempFolder('mute')
  const asked = join(folder, 'asked')
  const isMuted = `[ "$1" = ${verb} ] && case "$*" in *${mute}*) echo x >>${asked}; [ "$(wc -l <${asked})" -le ${times} ];; *) false;; esac`
  script(
    join(folder, 'tissue'),
    `#!/bin/sh\nPATH=${toolPath()}\nif ${isMuted}; then tissue "$@" >/dev/null; exit; fi\nexec tissue "$@"\n`,
  )
  const args = ['--with', at.agent('do', 'echo 1 > "$title"'), '--verify', 'true', '--jsonl']
  const env = { PATH: [folder, toolPath()].join(delimiter) }
  const finished = run('loop', ['run', '--issues', ...(isListed ? ['-'] : []), ...args], {
    ...{ cwd: at.root, env, input: ids.join('\n') },
  })
  const count = existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n').length : 0
  return { at, ids, mute, finished, asked: count }
}

describe('loop run whose tracker ends with 0 and says nothing', () => {
  it('asks again, and works all issues when it then answers', () => {
    const { at, ids, finished } = runWithMuteTissue('claim', 1, false)
    expect(finished.stderr).not.toContain('printed nothing')
    expect(finished.code).toBe(0)
    expect(ids.map((id) => results(finished)[id]?.outcome)).toEqual(['landed', 'landed', 'landed'])
    expect(leftovers(at.root)).toEqual([])
  })

  it('sets that issue aside with a word when it is silent again, gives it back, and works the others', () => {
    const { at, ids, mute, finished, asked } = runWithMuteTissue('claim', 1000, false)
    expect(finished.code).toBe(1)
    expect(asked).toBe(2)
    expect(ids.map((id) => results(finished)[id]?.outcome)).toEqual(['landed', 'skipped', 'landed'])
    expect(results(finished)[mute]?.['reason']).toBe('tissue claim ended with 0 and printed nothing, 2 times')
    expect(show(at.root, mute)).toMatchObject({ status: 'open', claim: null })
    expect(leftovers(at.root)).toEqual([])
  })

  it('does so with issues that it was given by name', () => {
    const { at, ids, mute, finished } = runWithMuteTissue('show', 1000, true)
    expect(finished.code).toBe(1)
    expect(ids.map((id) => results(finished)[id]?.outcome)).toEqual(['landed', 'skipped', 'landed'])
    expect(results(finished)[mute]?.['reason']).toBe('tissue show ended with 0 and printed nothing, 2 times')
    expect(leftovers(at.root)).toEqual([])
  })
})
