import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AgentPlace, agentPlace } from './agent-place.ts'

const agents = ['documenter', 'explorer', 'librarian', 'oracle', 'reviewer'].map((name) => `loop:${name}`)
const skills = ['commit', 'deepscan', 'document', 'fmt', 'message', 'review', 'test'].map((name) => `loop:${name}`)
const commands = ['loop:cancel', 'loop:loop']

async function built({ run, home }: AgentPlace): Promise<string> {
  const out = join(home, 'plugin')
  expect(await run('loop', ['plugin', 'build', '--host', 'claude', '--out', out])).toMatchObject({ code: 0 })
  return out
}

/** The line with which Claude Code says what it has loaded. */
function initLine(stdout: string): Record<string, unknown> {
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line)).find(({ type, subtype }) => type === 'system' && subtype === 'init')
}

const streaming = ['--output-format', 'stream-json', '--verbose']

describe('the plugin in Claude Code', () => {
  it('is valid by its own judgement', async () => {
    const place = await agentPlace([])
    const judged = await place.run('claude', ['plugin', 'validate', await built(place)])
    expect(judged.code).toBe(0)
    for (const name of [...agents, ...skills, ...commands]) expect(judged.stdout).toContain(name)
    expect(judged.stdout).toContain('loop hook --host claude')
  })

  it('loads with its commands, agents and skills, from its folder', async () => {
    const place = await agentPlace([{ text: 'Hi.' }])
    const said = await place.run('claude', ['-p', 'say hi', '--plugin-dir', await built(place), ...streaming])
    const init = initLine(said.stdout)
    expect(init['agents']).toEqual(expect.arrayContaining(agents))
    expect(init['skills']).toEqual(expect.arrayContaining(skills))
    expect(init['slash_commands']).toEqual(expect.arrayContaining(commands))
  })

  it('is installed from its own marketplace, and its hooks run', async () => {
    const forbidden = 'git push --force origin main'
    const place = await agentPlace([
      { calls: [{ name: 'Bash', input: { command: forbidden } }] },
      { when: { result: /push/ }, text: 'Not allowed.' },
    ])
    const added = await place.run('claude', ['plugin', 'marketplace', 'add', await built(place)])
    expect(added.code).toBe(0)
    expect(await place.run('claude', ['plugin', 'install', 'loop@switchyard'])).toMatchObject({ code: 0 })
    const said = await place.run('claude', ['-p', 'push', '--dangerously-skip-permissions', ...streaming])
    expect(initLine(said.stdout)['agents']).toEqual(expect.arrayContaining(agents))
    expect(place.model.requests[1]?.results.join()).toContain('git.force-push')
  })
})
