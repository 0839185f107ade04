import { spawnSync } from 'node:child_process'
import { cleanEnv } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

/** What bash offers at the end of a line whose words these are, as bash splits them. */
function offered(cwd: string, line: string, words: readonly string[]): string[] {
  const split = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
  const script = `eval "$(jwz completion bash)"; COMP_LINE='${line}'; ${split}; _jwz; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-uc', script], { cwd, env: cleanEnv(), encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

describe('completion', () => {
  it('offers topics and the newest ids where they are meant', () => {
    const { cwd, post } = freshBus()
    const ids = ['issue:auth-1', 'issue:perf-2', 'news'].map((topic) => post(topic, 'x'))
    expect(offered(cwd, 'jwz read n', ['jwz', 'read', 'n'])).toEqual(['news'])
    expect(offered(cwd, 'jwz read issue:', ['jwz', 'read', 'issue', ':'])).toEqual(['auth-1', 'perf-2'])
    expect(offered(cwd, 'jwz follow news issue:p', ['jwz', 'follow', 'news', 'issue', ':', 'p'])).toEqual(['perf-2'])
    expect(offered(cwd, 'jwz reply ', ['jwz', 'reply', '']).sort()).toEqual([...ids].sort())
    expect(offered(cwd, 'jwz read news --after ', ['jwz', 'read', 'news', '--after', ''])).toHaveLength(3)
    expect(offered(cwd, 'jwz export ne', ['jwz', 'export', 'ne'])).toEqual(['news'])
    expect(offered(cwd, 'jwz agents ne', ['jwz', 'agents', 'ne'])).toEqual(['news'])
    expect(offered(cwd, 'jwz read --status ne', ['jwz', 'read', '--status', 'ne'])).toEqual(['news'])
    expect(offered(cwd, 'jwz ack ', ['jwz', 'ack', '']).sort()).toEqual([...ids].sort())
    expect(offered(cwd, 'jwz search x --topic ne', ['jwz', 'search', 'x', '--topic', 'ne'])).toEqual(['news'])
  })
})
