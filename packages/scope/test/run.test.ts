import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Finished, outOfTime } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { envelope, fixture, place } from './place.ts'
import { isGone } from './sessions.ts'

describe('scope run -- CMD', () => {
  it('runs any command: prompt in, answer out, byte for byte', () => {
    const at = place()
    const prompt = 'één\r\n\u001b[1m…'
    expect(at.scope(['run', '--', 'cat'], prompt)).toEqual({ code: 0, signal: null, stdout: `${prompt}\n`, stderr: '' })
    expect(envelope(at.scope(['run', '--json', '--', 'cat'], prompt))).toMatchObject({
      ...{ agent: 'command', text: prompt, session: null, outcome: 'done', exit_code: 0, usage: null, cost_usd: null },
    })
  })

  it('reports exit 3 as nothing to do, every other as a failure with its last words', () => {
    const at = place()
    const nothing = at.scope(['run', '--json', '--', 'sh', '-c', 'exit 3'], '')
    expect([nothing.code, envelope(nothing).outcome, nothing.stderr]).toEqual([3, 'nothing', ''])
    const failed = at.scope(['run', '--', 'sh', '-c', 'echo half; echo first >&2; echo last words >&2; exit 4'])
    expect(failed).toMatchObject({ code: 8, stdout: 'half\n', stderr: 'scope: command failed: last words\n' })
    const silent = at.scope(['run', '--json', '--', 'sh', '-c', 'kill -9 $$'])
    expect(envelope(silent)).toMatchObject({ outcome: 'failed', exit_code: null, limit: null })
    expect(envelope(silent).error).toBe('command ended with SIGKILL and said nothing')
  })

  it('keeps the two ends of a huge output', () => {
    const at = place()
    const loud = at.scope([
      'run',
      '--json',
      '--',
      'sh',
      '-c',
      'echo begin; head -c 60000000 /dev/zero | tr "\\0" x; echo end',
    ])
    const { text } = envelope(loud)
    expect(text.length).toBeLessThan(33_000_000)
    expect([text.slice(0, 6), text.slice(-4)]).toEqual(['begin\n', 'end\n'])
  })
})

describe('scope run', () => {
  it('ends an agent that is out of time with all that it started, and keeps its session', () => {
    const at = place()
    const noted = `echo $$ >${at.root}/new; mv ${at.root}/new ${at.root}/child`
    const stay = `sh -c 'trap "" TERM; ${noted}; while :; do sleep 1; done' & wait`
    at.agent('codex', { stdout: fixture('codex.out').split('\n').slice(0, 2).join('\n'), after: stay })
    const finished = outOfTime(
      (limit) => at.scope(['run', '--agent', 'codex', '--timeout', limit, '--json']),
      () => existsSync(join(at.root, 'child')),
    )
    expect(finished.code).toBe(124)
    expect(envelope(finished)).toMatchObject({ outcome: 'timeout', session: '0199a213-81c0-7800-8aa1-bbab2a035a53' })
    expect(finished.stderr).toContain('"code":"wait-timeout"')
    expect(isGone(Number(at.noted('child')))).toBe(true)
  })

  it('tells of an agent that is out of time what it said last, and the limit that it waits for', () => {
    const at = place()
    const retry = 'echo "Attempt 1 failed with status 429. Retrying with backoff..." >&2; sleep 600'
    at.agent('gemini', { after: retry })
    const saysRetry = ({ stdout, stderr }: Finished) => /said last|Attempt 1/.test(stdout + stderr)
    const limited = outOfTime(
      (limit) => at.scope(['run', '--agent', 'gemini', '--timeout', limit, '--json']),
      saysRetry,
    )
    expect(limited.code).toBe(124)
    expect(envelope(limited)).toMatchObject({ outcome: 'timeout', limit: { kind: 'rate', resets_at: null } })
    expect(envelope(limited).error).toContain('Attempt 1 failed with status 429')
    const inText = outOfTime((limit) => at.scope(['run', '--agent', 'gemini', '--timeout', limit]), saysRetry)
    expect(inText.stderr).toMatch(
      /gemini was ended: it was out of time, silent for \d+[sm], and said last: Attempt 1 failed with status 429\. Retrying/,
    )
    at.agent('opencode', { after: 'sleep 600' })
    const silent = at.scope(['run', '--agent', 'opencode', '--timeout', '1s', '--json'])
    expect(envelope(silent)).toMatchObject({ outcome: 'timeout', limit: null, error: null })
    expect(envelope(silent).silent_ms).toBeGreaterThanOrEqual(1000)
  })

  it('ends the agent when it is itself stopped', async () => {
    const at = place()
    at.agent('claude', { after: 'echo $$ >pid.new; mv pid.new pid; sleep 600' })
    const started = at.start(['run', '--agent', 'claude'], 'go')
    while (!at.isThere('pid')) await new Promise((resolve) => setTimeout(resolve, 20))
    started.child.kill('SIGTERM')
    expect(await started.done).toMatchObject({ code: 143, stdout: '' })
    expect(isGone(Number(at.noted('pid')))).toBe(true)
  })

  it('lets nothing of the session around through, and keys only by the environment', () => {
    const at = place({ CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', ANTHROPIC_API_KEY: 'sk-secret' })
    at.agent('claude', { stdout: fixture('claude.out') })
    expect(at.scope(['run', '--agent', 'claude']).code).toBe(0)
    const env = at.noted('env')
    expect(env).not.toMatch(/^CLAUDE/m)
    expect(env).toContain('ANTHROPIC_API_KEY=sk-secret')
    expect(at.noted('argv')).not.toContain('secret')
  })

  it('works in another folder', () => {
    const at = place()
    at.agent('claude', { stdout: fixture('claude.out') })
    expect(at.scope(['run', '--agent', 'claude', '--cwd', 'bin']).code).toBe(0)
    expect(at.noted('cwd')).toBe(`${at.root}/bin\n`)
    expect(at.scope(['run', '--agent', 'claude', '--cwd', 'none']).code).toBe(8)
  })

  it.each([
    [['run'], 'expected --agent NAME or -- CMD ARG…, got neither'],
    [['run', '--agent', 'claude', '--', 'cat'], 'expected --agent NAME or -- CMD ARG…, got both'],
    [['run', '--agent', 'clode'], 'expected --agent to be claude, codex, gemini,'],
    [['run', '--agent', 'codex', '--resume', '--last'], `expected --resume with a session's id, got "--last"`],
    [['run', '--agent', 'codex', '--settings', 'a.json'], 'expected no --settings with codex, which has none'],
    [['run', '--retries', '1', '--', 'cat'], 'expected no --retries with a command, whose limits nobody knows'],
    [['run', '--resume', 'a', '--', 'cat'], 'expected no --resume with a command, which has none'],
    [['run', '--agent', 'aider', '--resume', 'a'], 'expected no --resume with aider, which has none'],
  ])('refuses %j', (args, message) => {
    const finished = place().scope(args)
    expect([finished.code, finished.stdout]).toEqual([2, ''])
    expect(finished.stderr).toContain(message)
  })

  it('says which program is missing, and that it needs a prompt', () => {
    const at = place({ PATH: join('/nowhere') })
    expect(at.scope(['run', '--agent', 'gemini'])).toMatchObject({ code: 8, stdout: '' })
    expect(at.scope(['run', '--agent', 'gemini']).stderr).toContain('install gemini or put it on PATH')
    expect(at.scope(['run', '--agent', 'gemini'], ' \n')).toMatchObject({ code: 2, stdout: '' })
  })

  it('gives aider its prompt as a file that is a pipe', () => {
    const at = place()
    at.agent('aider', { after: 'cat /dev/stdin >/dev/null; echo hello back' })
    expect(at.scope(['run', '--agent', 'aider'], 'go').stdout).toBe('hello back\n')
    expect(at.noted('stdin')).toBe('go')
    expect(at.noted('argv')).toContain('--message-file=/dev/stdin\n')
  })
})
