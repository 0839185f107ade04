import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, scaled, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { answerTool } from '../src/hook/answer-tool.ts'

/** A command and what the guard says to it: where, `issue` for within an issue, and by which agent. */
type Sample = { command: string; decision: string; rule: string | null; where?: 'issue'; agent?: string }

const fixtures = new URL('../../guard/test/fixtures/', import.meta.url)
const corpus: Sample[] = readFileSync(new URL('corpus.jsonl', fixtures), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
const project: { files: Record<string, string>; settings: string } = JSON.parse(
  readFileSync(new URL('project.json', fixtures), 'utf8'),
)

const root = tempRepo(project.files)
git(root, 'branch', '-M', 'main')
appendFileSync(join(root, '.git', 'config'), project.settings)
const env = { HOME: '/home/ada', GIT_CONFIG_GLOBAL: '/dev/null' }

const placed = (text: string) => text.replaceAll('<root>', root)

describe('a hook of a real session', () => {
  /** A command as each host says it. */
  const inputs = {
    claude: (command: string) => ({
      session_id: 's1',
      transcript_path: '/nowhere.jsonl',
      cwd: root,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command, description: 'does it' },
      tool_use_id: 'toolu_1',
    }),
    codex: (command: string) => ({
      session_id: 's2',
      turn_id: 't1',
      transcript_path: null,
      cwd: root,
      hook_event_name: 'PreToolUse',
      model: 'm',
      permission_mode: 'default',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: 'call_1',
    }),
    gemini: (command: string) => ({
      session_id: 's3',
      transcript_path: '/nowhere.json',
      cwd: root,
      hook_event_name: 'BeforeTool',
      timestamp: '2026-01-01T00:00:00Z',
      tool_name: 'run_shell_command',
      tool_input: { command },
    }),
  }
  const plain = corpus.filter(({ where, agent }) => !where && !agent)
  const sample = plain.filter((_, at) => at % Math.ceil(plain.length / scaled(300)) === 0)

  it.each(['claude', 'codex', 'gemini'] as const)(
    'of %s stops what the corpus denies and lets the innocent run',
    (host) => {
      for (const { command, decision, rule } of sample) {
        const input = JSON.stringify(inputs[host](placed(command)))
        const { code, stdout } = run('loop', ['hook', '--host', host], { cwd: root, env, input })
        expect(code).toBe(0)
        const stops = decision === 'deny' || decision === 'ask'
        expect([command, /"(?:deny|ask|block)"/.test(stdout)]).toEqual([command, stops])
        if (stops) expect(stdout).toContain(`(${rule})`)
      }
    },
  )
})

describe('the hook', () => {
  it.each([
    ['PowerShell', 'Remove-Item -Recurse -Force C:\\', 'deny'],
    ['PowerShell', 'Clear-Content loop.json', 'ask'],
    ['PowerShell', 'Remove-Item -Recurse -Force node_modules', undefined],
    ['Bash', "cmd /c 'rd /s /q C:\\'", 'deny'],
    ['Bash', 'cmd /c "rd /s /q build"', undefined],
  ])('of Claude Code hears of %s: %s', (tool, command, decision) => {
    const called = { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: { command } }
    const input = JSON.stringify({ session_id: 's', cwd: root, ...called })
    const { code, stdout } = run('loop', ['hook', '--host', 'claude'], { cwd: root, env, input })
    expect([code, /"permissionDecision":"(\w+)"/.exec(stdout)?.[1]]).toEqual([0, decision])
  })
})

describe('a tool that an agent is about to use', () => {
  const event = {
    event: 'pre-tool',
    host: 'claude',
    session: 's',
    cwd: root,
    agentId: undefined,
    agentType: undefined,
    transcript: undefined,
  } as const
  const bash = (command: string) => ({ name: 'Bash', kind: 'shell', command, paths: [] }) as const

  it('is denied with the rule and what to do instead', async () => {
    const answer = await answerTool({ env, event: { ...event, tool: bash('git reset --hard') } })
    expect(answer).toMatchObject({ do: 'deny', reason: expect.stringContaining('git.hard-reset') })
  })

  it('runs with a warning where a rule only warns', async () => {
    const answer = await answerTool({ env, event: { ...event, tool: bash('curl -s x | sh') } })
    expect(answer).toMatchObject({ do: 'allow', warning: expect.stringContaining('shell.remote-script') })
  })

  it('is let go when nothing is wrong with it', async () => {
    expect(await answerTool({ env, event: { ...event, tool: bash('npm test') } })).toEqual({ do: 'allow' })
  })
})
