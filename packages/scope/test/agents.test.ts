import { describe, expect, it } from 'vitest'
import { envelope, fixture, place } from './place.ts'

const agents = [
  {
    name: 'claude',
    stdout: fixture('claude.out'),
    argv: '-p\n--output-format=json\n--permission-mode=acceptEdits\n--allowedTools=Bash\n',
    more: '-p\n--output-format=json\n--dangerously-skip-permissions\n--model=opus\n--resume=abc-1\n',
    says: {
      session: '5b0c3f0e-93a5-4ad3-9a5f-0f1f8f6f7c11',
      cost_usd: 0.0613,
      usage: { input_tokens: 12_312, output_tokens: 57, cached_tokens: 12_000 },
    },
  },
  {
    name: 'codex',
    stdout: fixture('codex.out'),
    argv: 'exec\n--json\n--skip-git-repo-check\n-c\nsandbox_mode="workspace-write"\n-\n',
    more: 'exec\nresume\n--json\n--skip-git-repo-check\n--dangerously-bypass-approvals-and-sandbox\n--model=opus\nabc-1\n-\n',
    says: {
      session: '0199a213-81c0-7800-8aa1-bbab2a035a53',
      cost_usd: null,
      usage: { input_tokens: 24_763, output_tokens: 122, cached_tokens: 24_448 },
    },
  },
  {
    name: 'gemini',
    stdout: fixture('gemini.out'),
    argv: '--output-format=json\n--skip-trust\n--approval-mode=auto_edit\n--allowed-tools=run_shell_command\n',
    more: '--output-format=json\n--skip-trust\n--approval-mode=yolo\n--model=opus\n--resume=abc-1\n',
    says: {
      session: '7f0a8a57-0d7e-4d38-8c47-6f0f9f3a6a10',
      cost_usd: null,
      usage: { input_tokens: 12_000, output_tokens: 50, cached_tokens: 3000 },
    },
  },
  {
    name: 'opencode',
    stdout: fixture('opencode.out'),
    argv: 'run\n--format=json\n',
    more: 'run\n--format=json\n--auto\n--model=opus\n--session=abc-1\n',
    says: {
      session: 'ses_4f0a',
      cost_usd: 0.003,
      usage: { input_tokens: 350, output_tokens: 29, cached_tokens: 210 },
    },
  },
]

describe.each(agents)('scope run --agent $name', ({ name, stdout, argv, more, says }) => {
  it('gives the prompt on stdin alone and prints the answer', () => {
    const at = place()
    at.agent(name, { stdout })
    const prompt = '--version; $(touch owned)\n"quoted"\r\n'
    expect(at.scope(['run', '--agent', name], prompt)).toEqual({
      code: 0,
      signal: null,
      stdout: 'hello back\n',
      stderr: '',
    })
    expect(at.noted('argv')).toBe(argv)
    expect(at.noted('stdin')).toBe(prompt)
    expect(at.noted('cwd')).toBe(`${at.root}\n`)
  })

  it('tells session, tokens and cost in the envelope, and passes access, model and session on', () => {
    const at = place()
    at.agent(name, { stdout })
    const flags = ['--access', 'full', '--model', 'opus', '--resume', 'abc-1', '--json']
    const finished = at.scope(['run', '--agent', name, ...flags])
    expect(envelope(finished)).toEqual({
      ...{ v: 1, agent: name, text: 'hello back', outcome: 'done', exit_code: 0, limit: null, error: null },
      ...{ ...says, duration_ms: expect.any(Number), silent_ms: expect.any(Number), tries: 1 },
    })
    expect(at.noted('argv')).toBe(more)
    expect(at.scope(['run', '--agent', name, '--quiet']).stdout).toBe(`${says.session}\n`)
  })

  it('takes no answer for a failure, and what it printed for the reason', () => {
    const at = place()
    at.agent(name, { stdout: 'Segmentation\nfault, perhaps\n' })
    const finished = at.scope(['run', '--agent', name, '--json'])
    expect(finished.code).toBe(8)
    expect(envelope(finished)).toMatchObject({ outcome: 'failed', text: '', session: null, usage: null, exit_code: 0 })
    at.agent(name, { after: 'echo "cannot start: no disk" >&2; exit 7' })
    const ended = at.scope(['run', '--agent', name, '--json'])
    expect(envelope(ended)).toMatchObject({ outcome: 'failed', exit_code: 7, error: 'cannot start: no disk' })
    expect(ended.stderr.split('\n')[0]).toBe(`scope: ${name} failed: cannot start: no disk`)
  })

  it('does not fall for what only looks like its output', () => {
    const at = place()
    const hostile = [
      null,
      [],
      1,
      {},
      { type: 'result' },
      { type: 'text', sessionID: 4 },
      { session_id: {}, response: [] },
    ]
    at.agent(name, { stdout: `{\n{"a":\n${hostile.map((value) => JSON.stringify(value)).join('\n')}\n}` })
    expect(at.scope(['run', '--agent', name, '--json']).code).not.toBe(70)
  })
})

it('codex leaves its own sandbox out where the kernel confines it already, but for an agent that only reads', () => {
  const at = place({ SWITCHYARD_SANDBOX: '1' })
  at.agent('codex', { stdout: fixture('codex.out') })
  for (const [access, mode] of [
    ['write', 'danger-full-access'],
    ['read', 'read-only'],
  ] as const) {
    expect(at.scope(['run', '--agent', 'codex', '--access', access]).code).toBe(0)
    expect(at.noted('argv')).toContain(`\nsandbox_mode="${mode}"\n`)
  }
})

it('opencode is told by its environment what it may do, because it has no flag for it', () => {
  const at = place({ OPENCODE_PERMISSION: '{"bash":"ask"}' })
  at.agent('opencode', { stdout: fixture('opencode.out') })
  for (const [access, word] of [
    ['read', 'deny'],
    ['write', 'allow'],
    ['full', 'allow'],
  ] as const) {
    expect(at.scope(['run', '--agent', 'opencode', '--access', access]).code).toBe(0)
    expect(at.noted('env')).toContain(`\nOPENCODE_PERMISSION={"edit":"${word}","bash":"${word}"}\n`)
    expect(at.noted('argv').includes('--agent=plan')).toBe(access === 'read')
  }
})
