import { spawnSync } from 'node:child_process'
import { cleanEnv, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { tissue } from './tissue.ts'

/** What bash offers at the end of these words. */
function offered(cwd: string, ...words: readonly string[]): string[] {
  const split = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
  const script = `eval "$(tissue completion bash)"; ${split}; _tissue; printf '%s\\n' "\${COMPREPLY[@]-}"`
  const { stdout, stderr } = spawnSync('bash', ['-uc', script], { cwd, env: cleanEnv(), encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

describe('completion', () => {
  it('offers ids, tags and words where they are meant', () => {
    const cwd = tempFolder('complete')
    tissue(cwd, ['init', '--prefix', 'auth'])
    const make = (...args: string[]) => tissue(cwd, ['new', ...args]).stdout.trim()
    const open = [make('One', '--tag', 'sso'), make('Two', '--tag', 'slow')]
    const closed = make('Over')
    tissue(cwd, ['close', closed])
    // A list shows the shortest form of an id.
    const names = (...ids: string[]) => ids.map((id) => expect.toSatisfy((short: string) => id.startsWith(short)))
    const any = expect.arrayContaining(names(...open))
    expect(offered(cwd, 'tissue', 'show', 'au')).toEqual(any)
    expect(offered(cwd, 'tissue', 'show', 'au')).toHaveLength(2)
    expect(offered(cwd, 'tissue', 'dep', 'add', 'x', 'blocks', '')).toEqual(any)
    expect(offered(cwd, 'tissue', 'new', 'x', '--blocked-by', '')).toEqual(any)
    expect(offered(cwd, 'tissue', 'reopen', '')).toEqual(names(closed))
    expect(offered(cwd, 'tissue', 'list', '--tag', 's').sort()).toEqual(['slow', 'sso'])
    expect(offered(cwd, 'tissue', 'status', 'x', 'pa')).toEqual(['paused'])
    expect(offered(cwd, 'tissue', 'list', '--status', 'de')).toEqual(['deferred'])
    expect(offered(cwd, 'tissue', 'dep', 'add', 'x', 'dis')).toEqual(['discovered-from'])
    expect(offered(cwd, 'tissue', 'new', 'x', '--type', 'b')).toEqual(['bug'])
    expect(offered(cwd, 'tissue', 'config', 'le')).toEqual(['lease'])
  })

  it('shows titles beside the ids in fish and zsh', () => {
    const cwd = tempFolder('complete')
    expect(tissue(cwd, ['completion', 'fish']).stdout).toContain("string replace -r \\'  +\\' \\\\t")
    expect(tissue(cwd, ['completion', 'zsh']).stdout).toContain('compadd -d lines -a values')
  })
})
