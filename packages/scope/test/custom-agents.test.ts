// Agents that the user has described in the settings.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { sessions } from './sessions.ts'

const prompt = "Two lines,\n'quoted' $HOME `x`\n\n"

function described(about: object, text: string) {
  const at = sessions({ env: { XDG_CONFIG_HOME: tempFolder('config') } })
  at.script('mine', text)
  const set = ([key, value]: [string, unknown]) => at.scope(['config', `agents.my.${key}`, JSON.stringify(value)])
  const ends = Object.entries(about).map(set)
  expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0))
  const run = (...words: readonly string[]) => {
    const { code, stdout, stderr } = at.scope(['run', '--agent', 'my', '--json', ...words], { input: prompt })
    return { code, stderr, ...JSON.parse(stdout || '{}') }
  }
  return { ...at, run, heard: () => readFileSync(join(at.root, 'heard'), 'utf8') }
}

describe('an agent of the settings', () => {
  it.each([
    ['stdin', ['mine', '-'], 'cat >heard', '-\n'],
    ['argument', ['mine', '-p'], 'printf %s "$2" >heard', '-p\n'],
    ['file', ['mine', '--message-file={}'], 'cat "$(echo "$1" | cut -d= -f2)" >heard', '--message-file=/dev/stdin\n'],
  ])('gets its prompt byte for byte: %s', (way, command, act, words) => {
    const at = described({ command, prompt: way }, `${act}; echo "$1"`)
    expect(at.run()).toMatchObject({ code: 0, agent: 'my', text: words, session: null, outcome: 'done' })
    expect(at.heard()).toBe(prompt)
  })

  it('has words of its own for access, model and conversation, and its answer out of JSON', () => {
    const about = {
      command: ['mine', '--json'],
      model: ['--use', '{}'],
      resume: ['--thread={}'],
      access: { full: ['--yes'], read: ['--look'] },
      answer: { text: 'message.text', session: 'thread', cost_usd: 'spent.usd', error: 'error' },
    }
    const at = described(about, 'printf "%s\\n" "$@" >heard; cat >/dev/null; cat answer')
    at.write('answer', 'log\n{"type":"begin"}\n{"thread":"t1","message":{"text":"Done."},"spent":{"usd":0.5}}\n')
    expect(at.run('--access', 'full', '--model', 'a b', '--resume', 't0')).toMatchObject({
      ...{ code: 0, text: 'Done.', session: 't1', cost_usd: 0.5 },
    })
    expect(at.heard()).toBe('--json\n--yes\n--use\na b\n--thread=t0\n')
    at.write('answer', '{"error":"no credit","thread":"t1"}\n')
    const failed = at.run()
    expect([failed.code, failed.outcome]).toEqual([8, 'failed'])
    expect(failed.stderr).toContain('no credit')
    at.write('answer', 'nothing of it\n')
    expect(at.run()).toMatchObject({ code: 8, outcome: 'failed' })
  })

  it('works in a session, and scope agents lists it with what it can do', () => {
    const at = described({ command: ['mine'], resume: ['--resume={}'] }, 'cat >/dev/null; echo Done.')
    const id = at.spawn('Look', '--agent', 'my')
    expect(at.wait(id).waited.results).toMatchObject([{ status: 'done', agent: 'my', result: 'Done.\n' }])
    const listed = JSON.parse(at.scope(['agents', '--json']).stdout)
    const can = { terminal: false, hooks: false, resume: true, cost: false }
    expect(listed.at(-1)).toMatchObject({ agent: 'my', installed: true, path: join(at.bin, 'mine'), custom: true, can })
    expect(listed[0]).toMatchObject({ agent: 'claude', custom: false })
  })

  it('is refused with one line where it cannot do what is asked, or is not there', () => {
    const at = described({ command: ['nowhere-to-be-found'] }, '')
    expect(at.run('--model', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('no --model with my') })
    expect(at.run('--resume', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('no --resume with my') })
    expect(at.run().stderr).toContain('cannot run nowhere-to-be-found: no such program')
    expect(at.scope(['spawn', 'x', '--agent', 'my'])).toMatchObject({ code: 8, stdout: '' })
    const other = at.scope(['spawn', 'x', '--agent', 'your'])
    expect(other).toMatchObject({ code: 2, stdout: '' })
    expect(other.stderr).toContain('expected --agent to be claude, codex, gemini, opencode, aider, socrates, my, got')
    expect(at.scope(['config', 'agents.claude.command', '["mine"]']).code).toBe(0)
    expect(
      JSON.parse(at.scope(['agents', '--json']).stdout).filter(({ agent }: { agent: string }) => agent === 'claude'),
    ).toMatchObject([{ custom: false }])
  })
})
