import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, scaled, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { mayMatter } from '../src/guard/filter.ts'
import { judgeCommand } from '../src/guard/judge-command.ts'
import { readScene } from '../src/guard/scene.ts'
import { openWorld } from '../src/guard/world.ts'

/** A command and what the guard says to it: where, `issue` for within an issue, and by which agent. */
type Sample = { command: string; decision: string; rule: string | null; where?: 'issue'; agent?: string }

const corpus: Sample[] = readFileSync(new URL('./guard-corpus.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))

const home = '/home/ada'
const aliases =
  '[alias]\n\tst = status\n\tnuke = reset --hard\n\tboom = "!rm -rf ~"\n\tyolo = push -f origin main # now\n'

/** Scripts that a command may run: what they do is read. */
const scripts = {
  'home.sh': '#!/bin/sh\nset -e\ncd /tmp\nrm -rf ~\n',
  'clean.sh': 'rm -rf "$1" "$OUT" build\ngit checkout -- "$1"\n',
  'scripts/reset.sh': 'git fetch && git reset --hard origin/main\n',
  'again.sh': 'bash again.sh; sh "$0"\n',
}

/** A repository on main with aliases and scripts, and a worktree of an issue in it. */
function fixture() {
  const root = tempRepo({ 'a.txt': 'one\n', 'src/a.ts': '\n', ...scripts })
  git(root, 'branch', '-M', 'main')
  const worktree = join(root, '.worktrees', 'loop', 'k3vd')
  mkdirSync(join(root, '.worktrees', 'loop'), { recursive: true })
  git(root, 'worktree', 'add', '-q', '-b', 'loop/issue/k3vd', worktree)
  appendFileSync(join(root, '.git', 'config'), aliases)
  return { root, worktree }
}

const { root, worktree } = fixture()
const world = openWorld({ HOME: home, GIT_CONFIG_GLOBAL: '/dev/null' })
const scenes = { main: readScene(root, world), issue: readScene(worktree, world) }

const placed = (text: string) => text.replaceAll('<root>', root).replaceAll('<worktree>', worktree)

function said({ command, where, agent }: Sample): string {
  const { decision, rule } = judgeCommand(placed(command), scenes[where ?? 'main'], agent).verdict
  return `${decision} ${decision === 'allow' ? null : rule}: ${command}`
}

describe('the corpus', () => {
  it('has at least 400 commands, half of them innocent', () => {
    const innocent = corpus.filter(({ decision }) => decision === 'allow')
    expect(corpus.length).toBeGreaterThanOrEqual(400)
    expect(innocent.length / corpus.length).toBeGreaterThanOrEqual(0.5)
  })

  it('gets the verdicts it names, without one false alarm', () => {
    const wrong = corpus.flatMap((sample) => {
      const expected = `${sample.decision} ${sample.rule}: ${sample.command}`
      return said(sample) === expected ? [] : [{ expected, said: said(sample) }]
    })
    expect(wrong).toEqual([])
  })

  it('comes through the filter wherever the judge has something to say', () => {
    const told = corpus.filter(({ decision, where, agent }) => decision !== 'allow' && !where && !agent)
    expect(told.filter(({ command }) => !mayMatter(command))).toEqual([])
  })
})

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
  const env = { HOME: home, GIT_CONFIG_GLOBAL: '/dev/null' }
  const plain = corpus.filter(({ where, agent }) => !where && !agent)
  const sample = plain.filter((_, at) => at % Math.ceil(plain.length / scaled(300)) === 0)

  it.each(['claude', 'codex', 'gemini'] as const)(
    'of %s stops what the corpus denies and lets the innocent run',
    (host) => {
      for (const { command, decision, rule } of sample) {
        const input = JSON.stringify(inputs[host](placed(command)))
        const { code, stdout } = run('loop', ['hook', 'pre-tool', '--host', host], { cwd: root, env, input })
        expect(code).toBe(0)
        const stops = decision === 'deny' || decision === 'ask'
        expect([command, /"(?:deny|ask|block)"/.test(stdout)]).toEqual([command, stops])
        if (stops) expect(stdout).toContain(`(${rule})`)
      }
    },
  )
})
