// Agents that the user has described in the settings.
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSignedHere } from '@switchyard/ground/signature'
import { cleanEnv, script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { launchSchema } from '../src/start/launch-schema.ts'
import { endsTmux, pasteReader } from './pasted.ts'
import { sessions } from './sessions.ts'
import { ran } from './workflows.ts'

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

  it('works in a terminal of its own where its prompt is pasted, and nowhere else', async () => {
    const at = described({ command: ['mine', '--chat'], prompt: 'paste' }, '')
    script(join(at.bin, 'mine'), `#!/usr/bin/env node\n${pasteReader}`)
    endsTmux(at)
    const task = '-- a line; with `ticks`\n\n\ttab \'and\' "quotes" \u{1f600} $(no) \\;'
    const spawned = at.scope(['spawn', '-', '--agent', 'my'], { input: task }, { SCOPE_BACKEND: '' })
    expect(spawned).toMatchObject({ code: 0, stdout: '0\n', stderr: '' })
    expect(at.wait('0').code).toBe(0)
    expect(readFileSync(join(at.root, 'pasted'), 'utf8')).toBe(at.file('0', 'contract.md'))
    expect(readFileSync(join(at.root, 'submitted'), 'utf8')).toBe('1')
    expect(at.poll('0')).toMatchObject({ status: 'done', backend: 'tmux', agent: 'my' })
    const { can } = JSON.parse(at.scope(['agents', '--json']).stdout).at(-1)
    expect(can).toEqual({ terminal: true, hooks: false, resume: false, cost: false })
    const headless = at.scope(['spawn', 'x', '--agent', 'my', '--headless'])
    const alone = 'scope: my works in a terminal alone, as its prompt is pasted\n'
    expect(headless).toMatchObject({ code: 2, stdout: '', stderr: alone })
    expect(at.run()).toMatchObject({ code: 2, stderr: expect.stringContaining('expected a terminal for my') })
  })

  it('is called as the settings had it when its session began, also when that goes on, and not as orders were forged', () => {
    const at = described(
      { command: ['mine'], resume: ['--resume={}'], answer: { text: 'text', session: 'thread' } },
      `cat >/dev/null; echo "$1" >>calls; echo '{"text":"Done.","thread":"t1"}'`,
    )
    const id = at.spawn('Look', '--agent', 'my')
    at.wait(id)
    expect(at.scope(['config', '--unset', 'agents.my']).code).toBe(0)
    expect(at.scope(['resume', id])).toMatchObject({ code: 0, stderr: '' })
    expect(at.wait(id).waited.results).toMatchObject([{ status: 'done', result: 'Done.' }])
    expect(readFileSync(join(at.root, 'calls'), 'utf8')).toBe('\n--resume=t1\n')
    const path = join(at.folder(id), 'launch.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"mine"', '"theirs"'))
    expect(at.scope(['resume', id])).toMatchObject({ code: 5, stderr: expect.stringContaining('were changed') })
  })

  it('has orders that are signed as their schema has them, so that those of an earlier version count', () => {
    const at = described({ command: ['mine'], access: { read: ['-r'] }, answer: { text: 'text' } }, 'cat >/dev/null')
    const flags = ['--checker', 'true', '--max-tokens', '9', '--max-iterations', '1', '--idle-timeout', '1h']
    const id = at.spawn('Look', '--agent', 'my', ...flags)
    at.wait(id)
    const read = JSON.parse(at.file(id, 'launch.json'))
    const signed = [realpathSync(join(at.root, '.scope')), JSON.stringify(launchSchema.parse(read))]
    expect(Object.keys(read)).toEqual(expect.arrayContaining(['custom', 'budget', 'loop', 'idle_timeout_ms']))
    expect(isSignedHere('scope:launch', signed, read.signature, cleanEnv())).toBe(true)
  })

  it('does a phase of a workflow', () => {
    const at = described({ command: ['mine'] }, 'cat >/dev/null; echo Done.')
    at.write('flow.json', JSON.stringify({ name: 'f', phases: [{ name: 'one', task: 'Look', agent: 'my' }] }))
    expect(ran(at, ['flow.json'])).toMatchObject({ code: 0, run: { phases: [{ result_text: 'Done.\n' }] } })
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
