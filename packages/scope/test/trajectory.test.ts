import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { stepSchema } from '../src/trajectory/step-schema.ts'
import { sessions } from './sessions.ts'

const home = tempFolder('home')
const at = '2026-05-01T10:00:00.000Z'

function keep(path: string, lines: readonly unknown[]) {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), `${lines.map((line) => JSON.stringify(line)).join('\n')}\nno JSON\n`)
}

const claudeLine = (type: 'user' | 'assistant', content: unknown, more: object = {}) => ({
  ...{ type, timestamp: at, message: { role: type, content }, ...more },
})
const codexLine = (payload: object) => ({ type: 'response_item', timestamp: at, payload })

describe('scope trajectory', () => {
  it('prints what the agent was told, said and did, from its client’s own transcript', () => {
    keep('.claude/projects/-a-project/conversation-1.jsonl', [
      { type: 'summary', summary: 'x' },
      claudeLine('user', 'Look around'),
      claudeLine('assistant', [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'I read it.\nThen I edit.' },
      ]),
      claudeLine('assistant', [{ type: 'tool_use', name: 'Read', input: { file_path: '/a/auth.ts' } }]),
      claudeLine('user', [{ type: 'tool_result', is_error: true, content: [{ type: 'text', text: 'no such file' }] }]),
      claudeLine('assistant', [{ type: 'text', text: 'of a subagent' }], { isSidechain: true }),
      claudeLine('user', 'of the client', { isMeta: true }),
      claudeLine('assistant', [{ type: 'tool_use', name: 'Bash', input: { command: 'echo \u001b[31mred' } }]),
    ])
    const { spawn, wait, scope } = sessions({ env: { HOME: home } })
    const id = spawn('Look around')
    wait(id)
    const said = scope(['trajectory', id])
    expect(said).toMatchObject({ code: 0, stderr: '' })
    expect(said.stdout.replaceAll(/^.{10}/gm, '')).toBe(
      [
        'told    Look around',
        'said    I read it. Then I edit.',
        'did     reading auth.ts',
        'failed  no such file',
        'did     running: echo [31mred\n',
      ].join('\n'),
    )
    const steps = stepSchema.array().parse(JSON.parse(scope(['trajectory', id, '--tools', '--json']).stdout))
    expect(steps).toMatchObject([
      { session: id, at: Date.parse(at), step: 'tool', tool: 'Read', text: '{"file_path":"/a/auth.ts"}' },
      { step: 'tool-result', failed: true, text: 'no such file' },
      { step: 'tool', tool: 'Bash' },
    ])
    expect(scope(['trajectory', id, '--full']).stdout).toContain('said    I read it.\nThen I edit.\n')
    expect(scope(['trajectory', id, '--since', '1h']).stdout).toBe('')
  })

  it('reads those of Codex, and of a loop those of all its sessions', () => {
    const rollout = (name: string) => `.codex/sessions/2026/05/01/rollout-2026-05-01T10-00-00-${name}.jsonl`
    keep(rollout('thread-1'), [
      codexLine({ type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context>x' }] }),
      codexLine({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Do it' }] }),
      codexLine({ type: 'function_call', name: 'shell', arguments: '{"command":["ls","a b"]}' }),
      codexLine({ type: 'function_call_output', output: 'a.txt' }),
      codexLine({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Update File: src/a.ts\n' }),
      codexLine({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }),
    ])
    const at = sessions({ env: { HOME: home } })
    at.script(
      'codex',
      `cat >/dev/null
echo '{"type":"thread.started","thread_id":"thread-1"}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'`,
    )
    const id = at.spawn('Do it', '--agent', 'codex', '--checker', 'true')
    expect(at.wait(id).code).toBe(0)
    const { stdout } = at.scope(['trajectory', id])
    expect(stdout.replaceAll(/^.{10}/gm, '')).toBe(
      "told    Do it\ndid     running: 'ls' 'a b'\ngot     a.txt\ndid     editing a.ts\nsaid    Done.\n",
    )
  })

  it.each([
    ['claude', 'there is no transcript of claude’s conversation conversation-1'],
    ['aider', 'scope cannot read transcripts of aider'],
  ])('says why there is none, with exit 3: %s', (agent, why) => {
    const at = sessions({ env: { HOME: tempFolder('home') } })
    at.script('aider', 'echo Done.')
    const id = at.spawn('Look', '--agent', agent)
    at.wait(id)
    const { code, stdout, stderr } = at.scope(['trajectory', id])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain(`scope: session ${id} has no trajectory: ${why.replace('’', "'")}`)
    expect(at.scope(['trajectory', '7']).code).toBe(3)
  })
})
