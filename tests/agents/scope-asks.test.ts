// Real clients that ask a person: the session says so, the answer goes in, and abort takes all of it away.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { type AgentPlace, agentPlace, commandLines, knownToClaude, processesOf } from './agent-place.ts'

/** How the model says to Codex that a command is to run outside its sandbox. */
const escalated = { sandbox_permissions: 'require_escalated', justification: 'It has to be made.' }
const titles = { text: 'A title.', times: 9 }

const pollIn = (place: AgentPlace) => async () => JSON.parse((await place.run('scope', ['poll', '0'])).stdout)

const abortAtEnd = (place: AgentPlace) => onTestFinished(async () => void (await place.run('scope', ['abort', '0'])))

it('Claude Code that wants a permission needs input, gets its answer, and leaves no process when it is aborted', async () => {
  const path = join(tempFolder('outside'), 'made.txt')
  const place = await agentPlace([
    {
      when: { user: /write it/, tools: true },
      calls: [{ name: 'Write', input: { file_path: path, content: 'made\n' } }],
    },
    { when: { result: /made.txt/ }, text: 'Written.' },
    {
      when: { user: /run for ever/, tools: true },
      calls: [{ name: 'Bash', input: { command: '(setsid sleep 987 &); sleep 987' } }],
    },
    titles,
  ])
  knownToClaude(place)
  abortAtEnd(place)
  const poll = pollIn(place)
  expect((await place.run('scope', ['spawn', 'write it'])).code).toBe(0)
  expect((await place.run('scope', ['wait', '0', '--needs-input', '--timeout', '60s'])).code).toBe(0)
  expect(await poll()).toMatchObject({
    status: 'running',
    turn: 'needs_input',
    needs_input: 'permission for editing made.txt',
  })
  const refused = await place.run('scope', ['send', '0', 'hello'])
  expect([refused.code, existsSync(path)]).toEqual([5, false])
  expect((await place.run('scope', ['send', '0', '--answer', '1'])).code).toBe(0)
  expect((await place.run('scope', ['wait', '0', '--timeout', '60s'])).code).toBe(0)
  expect(await poll()).toMatchObject({ status: 'done', turn: 'idle', needs_input: null, result: 'Written.' })
  expect(readFileSync(path, 'utf8')).toBe('made\n')
  expect((await place.run('scope', ['send', '0', 'run for ever'])).code).toBe(0)
  await expect.poll(async () => (await poll()).activity, { timeout: 60_000 }).toMatch(/^running: \(setsid sleep/)
  expect((await place.run('scope', ['abort', '0'])).code).toBe(0)
  expect(await poll()).toMatchObject({ status: 'aborted', alive: false })
  expect(processesOf(place)).toEqual([])
})

it('Claude Code that asks whether to trust the folder, before it begins, needs input', async () => {
  const place = await agentPlace([{ when: { user: /look/, tools: true }, text: 'Looked.' }, titles])
  knownToClaude(place)
  const told = JSON.parse(readFileSync(join(place.home, '.claude/.claude.json'), 'utf8'))
  writeFileSync(join(place.home, '.claude/.claude.json'), JSON.stringify({ ...told, projects: {} }))
  abortAtEnd(place)
  expect((await place.run('scope', ['spawn', 'look'])).code).toBe(0)
  expect((await place.run('scope', ['wait', '0', '--needs-input', '--timeout', '60s'])).code).toBe(0)
  expect(await pollIn(place)()).toMatchObject({ turn: 'needs_input', needs_input: expect.stringMatching(/trust/) })
  await place.run('tmux', ['-L', serverOf(place), 'send-keys', '-t', '=scope-0:', 'Down', 'Enter'])
  expect((await place.run('scope', ['wait', '0', '--timeout', '60s'])).code).toBe(0)
  expect(await pollIn(place)()).toMatchObject({ status: 'done', result: 'Looked.', needs_input: null })
})

it('Codex that wants a permission needs input, gets its answer, and leaves no process when it is aborted', async () => {
  const place = await agentPlace([
    {
      when: { user: /write it/, tools: true },
      calls: [{ name: 'exec_command', input: { cmd: 'touch made.txt', ...escalated } }],
    },
    { when: { result: /./ }, text: 'Written.' },
    titles,
  ])
  const config = join(place.home, '.codex/config.toml')
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('approval_policy = "never"', 'approval_policy = "on-request"'),
  )
  abortAtEnd(place)
  expect((await place.run('scope', ['spawn', 'write it', '--agent', 'codex'])).code).toBe(0)
  expect((await place.run('scope', ['wait', '0', '--needs-input', '--timeout', '60s'])).code).toBe(0)
  expect(await pollIn(place)()).toMatchObject({
    turn: 'needs_input',
    needs_input: 'permission for running: touch made.txt',
  })
  expect((await place.run('scope', ['send', '0', '--answer', 'y'])).code).toBe(0)
  expect((await place.run('scope', ['wait', '0', '--timeout', '60s'])).code).toBe(0)
  expect(existsSync(join(place.repo, 'made.txt'))).toBe(true)
  expect((await place.run('scope', ['abort', '0'])).code).toBe(0)
  expect(processesOf(place)).toEqual([])
})

/** The name of the tmux server in which the session of a place works. */
function serverOf({ repo }: AgentPlace): string {
  const server = commandLines().find((words) => words[0] === 'tmux' && words.includes(repo))
  return server?.[server.indexOf('-L') + 1] ?? ''
}
