import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { contract, hooked } from './hooked.ts'

const plugin = fileURLToPath(new URL('../plugin/opencode/scope.js', import.meta.url))

/** Loads the plugin as opencode does, and runs `acts` with its hooks in `on` and its `event`. */
function load(acts: string, cwd: string, env: Record<string, string>) {
  const path = join(tempFolder('opencode'), 'run.mjs')
  script(
    path,
    `import { ScopePlugin } from ${JSON.stringify(plugin)}
const parts = [{ type: 'text', text: 'All done.' }]
const client = { session: { messages: async () => ({ data: [{ info: { role: 'assistant' }, parts }] }) } }
const on = await ScopePlugin({ client, directory: ${JSON.stringify(cwd)} })
const event = (type, properties) => on.event({ event: { type, properties } })
${acts}
`,
  )
  return spawnSync(process.execPath, [path], { cwd, env: cleanEnv(env), encoding: 'utf8' })
}

const whole = `
await event('session.created', { info: { id: 'ses_1' } })
await event('session.created', { info: { id: 'ses_2', parentID: 'ses_1' } })
await on['chat.message']({ sessionID: 'ses_1' }, { parts: [{ type: 'text', text: ${JSON.stringify(contract)} }] })
await on['tool.execute.before']({ tool: 'read', sessionID: 'ses_1' }, { args: { filePath: '/a/auth.ts' } })
await event('permission.asked', { sessionID: 'ses_1', permission: 'edit' })
await on['tool.execute.after']({ tool: 'read', sessionID: 'ses_1', args: {} }, {})
await event('session.idle', { sessionID: 'ses_2' })
`

describe('the plugin for opencode', () => {
  it('tells a session what its agent does, in its order, and nothing of subagents', async () => {
    const session = hooked()
    await session.begin()
    expect(load(whole, session.root, session.env)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(session.poll()).toMatchObject({ agent_session: 'ses_1', turn: 'busy', activity: 'reading auth.ts' })
    const ended = `await event('session.idle', { sessionID: 'ses_1' })`
    expect(load(ended, session.root, session.env).status).toBe(0)
    expect(session.poll()).toMatchObject({ status: 'done', result: 'All done.' })
    const turns = session.events().flatMap((one) => (one.event === 'turn' ? [one.reason ?? one.turn] : []))
    expect(turns).toEqual(['edit', 'busy', 'idle'])
  })

  it('has no hooks where the session is not of scope', () => {
    const folder = tempFolder('other')
    const done = load('if (Object.keys(on).length > 0) throw new Error("hooks")', folder, {})
    expect(done).toMatchObject({ status: 0, stderr: '' })
  })
})
