import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type AgentPlace, agentPlace } from './agent-place.ts'

const files = { 'greeting.txt': 'helo world\n' }
const repair = "sed -i 's/helo/hello/' greeting.txt"

async function workedIssue(place: AgentPlace, agent: string): Promise<void> {
  const id = (await place.run('tissue', ['new', 'Greeting is misspelt', '--quiet'])).stdout.trim()
  const flags = [
    '--issues',
    '--with',
    agent,
    '--verify',
    'grep -q hello greeting.txt',
    '--max-iterations',
    '3',
    '--json',
  ]
  const ran = await place.run('loop', ['run', ...flags])
  expect([ran.code, ran.stderr]).toMatchObject([0, expect.anything()])
  expect(JSON.parse(ran.stdout)).toMatchObject([{ issue: id, outcome: 'landed', iterations: 1 }])
  expect(readFileSync(join(place.repo, 'greeting.txt'), 'utf8')).toBe('hello world\n')
  expect(git(place.repo, 'log', '-1', '--format=%(trailers:key=Issue,valueonly)').trim()).toBe(id)
  expect(JSON.parse((await place.run('tissue', ['show', id, '--json'])).stdout).status).toBe('closed')
}

/** Each request for an answer; clients ask for other things on the way. */
const asked = ({ model }: AgentPlace) => model.requests.flatMap(({ protocol }) => protocol ?? [])

describe('loop run', () => {
  it('works and lands a whole issue with Claude Code', async () => {
    const place = await agentPlace(
      [
        { when: { user: /Greeting is misspelt/ }, calls: [{ name: 'Bash', input: { command: repair } }] },
        { when: { result: /./ }, text: 'Repaired.' },
        { text: 'Repaired.' },
      ],
      files,
    )
    await place.run('loop', ['install', 'claude'])
    await workedIssue(place, 'claude')
    expect(asked(place)).toEqual(['anthropic', 'anthropic'])
  })

  it('works and lands a whole issue with Codex', async () => {
    const place = await agentPlace(
      [
        { when: { user: /Greeting is misspelt/ }, calls: [{ name: 'exec_command', input: { cmd: repair } }] },
        { text: 'Repaired.' },
      ],
      files,
    )
    await workedIssue(place, 'codex')
    expect(asked(place)).toEqual(['responses', 'responses'])
  })
})
