import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bin, cleanEnv, run, script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { parseFrontMatter } from '../src/plugin/front-matter.ts'
import { pluginBuilt, pluginReport } from '../src/plugin/plugin-schema.ts'
import { validatePlugin } from '../src/plugin/validate.ts'

const loop = (cwd: string, ...args: string[]) => run('loop', args, { cwd })

function put(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')
const json = (folder: string, path: string) => JSON.parse(read(folder, path))

function built(host: string): string {
  const folder = tempFolder('plugin')
  expect(loop(folder, 'plugin', 'build', '--host', host, '--out', 'out').code).toBe(0)
  return join(folder, 'out')
}

const agents = ['documenter', 'explorer', 'librarian', 'oracle', 'reviewer']
const commands = ['cancel', 'loop']
const skills = ['commit', 'deepscan', 'document', 'fmt', 'message', 'review', 'test']

describe('loop plugin build', () => {
  it('writes a plugin for each host that validate finds nothing wrong with', () => {
    const folder = tempFolder('plugin')
    const made = loop(folder, 'plugin', 'build', '--json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const plugins = pluginBuilt.array().parse(JSON.parse(made.stdout))
    expect(plugins.map(({ host, dir }) => [host, dir])).toEqual(
      ['claude', 'codex', 'gemini', 'opencode'].map((host) => [host, join(folder, 'loop-plugin', host)]),
    )
    for (const { dir, files } of plugins) for (const file of files) expect(existsSync(join(dir, file))).toBe(true)

    const checked = loop(folder, 'plugin', 'build', '--check', 'loop-plugin', '--json')
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    const reports = pluginReport.array().parse(JSON.parse(checked.stdout))
    const common = { skills, faults: [] }
    expect(reports).toMatchObject([
      { host: 'claude', ...common, agents, commands, hooks: { length: 7 } },
      { host: 'codex', ...common, hooks: { length: 6 } },
      { host: 'gemini', ...common, agents, commands, hooks: { length: 6 } },
      { host: 'opencode', ...common, agents, commands },
    ])
  })

  it('declares each hook of Claude Code with its time, and the marketplace with its owner and place', () => {
    const out = built('claude')
    const { hooks } = json(out, 'hooks/hooks.json')
    const told = Object.entries<[{ matcher?: string; hooks: [{ command: string; timeout: number }] }]>(hooks).map(
      ([name, [{ matcher, hooks }]]) => [name, matcher, hooks[0].command, hooks[0].timeout],
    )
    expect(told).toEqual([
      ['Stop', undefined, 'loop hook --host claude', 600],
      ['PreToolUse', 'Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|Update|mcp__.*', 'loop hook --host claude', 20],
      ['PreCompact', undefined, 'loop hook --host claude', 20],
      ['SubagentStop', undefined, 'loop hook --host claude', 20],
      ['SessionStart', undefined, 'loop hook --host claude', 20],
      ['SessionEnd', undefined, 'loop hook --host claude', 3],
      ['StopFailure', undefined, 'loop hook --host claude', 20],
    ])
    const { version } = JSON.parse(readFileSync(join(dirname(bin('loop')), '../package.json'), 'utf8'))
    expect(json(out, '.claude-plugin/plugin.json')).toMatchObject({ name: 'loop', version })
    expect(json(out, '.claude-plugin/plugin.json')).not.toHaveProperty('hooks')
    expect(json(out, '.claude-plugin/marketplace.json')).toMatchObject({
      name: 'switchyard',
      owner: { name: 'Switchyard' },
      plugins: [{ name: 'loop', source: './' }],
    })
  })

  it('gives Gemini CLI milliseconds, its own names of tools, and commands in TOML', () => {
    const out = built('gemini')
    const { hooks } = json(out, 'hooks/hooks.json')
    expect(hooks.AfterAgent).toEqual([
      { hooks: [{ type: 'command', command: 'loop hook --host gemini', timeout: 600_000 }] },
    ])
    expect(read(out, 'agents/explorer.md')).toContain('tools: ["read_file","grep_search","glob"]\n')
    expect(read(out, 'commands/loop.toml')).toContain('Task: {{args}}"\n')
  })

  it('takes in whatever Markdown lies in the folders, over its own, and leaves alone what else is there', () => {
    const folder = tempFolder('plugin')
    put(folder, {
      'mine/agents/gardener.md': '---\ndescription: Weeds.\nname: gardener\n---\nWeed.\n',
      'mine/commands/cancel.md': '---\ndescription: Ours.\n---\nOurs.\n',
      'mine/skills/prune/SKILL.md': '---\nname: prune\ndescription: Prunes.\n---\nPrune.\n',
      'out/agents/kept.md': 'kept',
    })
    expect(loop(folder, 'plugin', 'build', '--host', 'claude', '--from', 'mine', '--out', 'out', '--quiet')).toEqual({
      code: 0,
      signal: null,
      stdout: `${join(folder, 'out')}\n`,
      stderr: '',
    })
    for (const path of ['agents/gardener.md', 'commands/cancel.md', 'skills/prune/SKILL.md']) {
      expect(read(folder, `out/${path}`)).toBe(read(folder, `mine/${path}`))
    }
    expect(read(folder, 'out/agents/kept.md')).toBe('kept')
    expect(existsSync(join(folder, 'out/agents/explorer.md'))).toBe(true)
  })

  it('refuses a source without fields, and a disk that refuses', () => {
    const folder = tempFolder('plugin')
    put(folder, { 'mine/agents/bare.md': 'no fields', out: 'a file' })
    const bare = loop(folder, 'plugin', 'build', '--from', 'mine', '--out', 'fresh')
    expect(bare.code).toBe(2)
    expect(bare.stderr).toContain(`${join(folder, 'mine/agents/bare.md')} to begin with fields between two --- lines`)
    expect(existsSync(join(folder, 'fresh'))).toBe(false)
    expect(loop(folder, 'plugin', 'build', '--out', 'out')).toMatchObject({ code: 1, stdout: '' })
    expect(loop(folder, 'plugin', 'build', '--host', 'emacs').code).toBe(2)
  })
})

describe('loop plugin build --check', () => {
  const claude = built('claude')

  function broken(files: Record<string, string>): string[] {
    const copy = tempFolder('broken')
    cpSync(claude, copy, { recursive: true })
    put(copy, files)
    return validatePlugin(copy, 'claude').faults.map(({ path, what }) => `${path}: ${what}`)
  }

  it.each([
    ['an agent without fields', { 'agents/a.md': 'text' }, /agents\/a.md: expected fields/],
    ['an agent of another name', { 'agents/a.md': '---\nname: b\ndescription: c\n---\nd' }, /name to be a.* got b/],
    ['a name that no host takes', { 'agents/A B.md': '---\nname: A B\ndescription: c\n---\nd' }, /small letters/],
    ['an agent without a description', { 'agents/a.md': '---\nname: a\n---\nd' }, /description: /],
    ['an agent without a text', { 'agents/a.md': '---\nname: a\ndescription: b\n---\n' }, /text below/],
    ['a value that YAML reads otherwise', { 'commands/a.md': '---\ndescription: do: this\n---\nb' }, /needs quotes/],
    ['a skill without its file', { 'skills/a/other.md': '' }, /skills\/a\/SKILL.md: expected fields/],
    ['hooks that are no JSON', { 'hooks/hooks.json': '{' }, /hooks.json: expected JSON/],
    ['an event without its inner list', { 'hooks/hooks.json': '{"hooks":{"Stop":[{"command":"x"}]}}' }, /Stop.0.hooks/],
    ['a hook that is missing', { 'hooks/hooks.json': '{"hooks":{}}' }, /a hook for PreToolUse, got none/],
    ['a marketplace without an owner', { '.claude-plugin/marketplace.json': '{"name":"a","plugins":[]}' }, /owner: /],
    ['a manifest without a name', { '.claude-plugin/plugin.json': '{}' }, /plugin.json: name: /],
  ])('finds %s', (_, files, expected) => {
    expect(broken(files).join('\n')).toMatch(expected)
  })

  it('says in text what is wrong, and exits 3 where there is no plugin', () => {
    const copy = tempFolder('broken')
    cpSync(claude, copy, { recursive: true })
    rmSync(join(copy, 'commands'), { recursive: true })
    expect(loop(copy, 'plugin', 'build', '--check', '.').stdout).toBe(
      `claude  ${copy}  valid: 5 agents, 0 commands, 7 skills, 7 hooks\n`,
    )
    put(copy, { 'agents/a.md': 'text' })
    const faulty = loop(copy, 'plugin', 'build', '--check', copy)
    expect(faulty).toMatchObject({ code: 1, stderr: '' })
    expect(faulty.stdout).toContain('1 faults')
    expect(faulty.stdout).toContain('\n  agents/a.md: expected fields')
    expect(loop(tempFolder('empty'), 'plugin', 'build', '--check', '.')).toMatchObject({ code: 3, stdout: '' })
    expect(loop(copy, 'plugin', 'build', '--check').code).toBe(2)
  })
})

describe('front matter', () => {
  it('is read in the ways in which people write it', () => {
    const text = `---\nname: "a \\"b\\""\n# a remark\ntools:\n  - Read\n  - Grep\nlast: 'it''s'\n---\nThe text\n---\n`
    expect(parseFrontMatter(text)).toEqual({
      fields: { name: 'a "b"', tools: '- Read\n- Grep', last: "it's" },
      text: 'The text\n---\n',
      faults: [],
    })
    expect(parseFrontMatter('\uFEFF---\r\na: b\r\n---\r\nc')).toMatchObject({ fields: { a: 'b' }, text: 'c' })
    expect(parseFrontMatter('---\na: b\n')).toBeUndefined()
  })
})

describe("opencode's plugin", () => {
  it('sends what happens and obeys the answers', () => {
    const folder = tempFolder('opencode')
    script(
      join(folder, 'bin/loop'),
      `#!/bin/sh
said=$(cat)
printf '%s\\n%s\\n' "$*" "$said" >> ${folder}/calls
case "$said" in
  *'"event":"session-start"'*) echo '{"do":"context","text":"know this"}' ;;
  *'"event":"pre-tool"'*) echo '{"do":"deny","reason":"not that"}' ;;
  *'"event":"stop"'*) [ -e ${folder}/once ] && echo '{"do":"allow"}' || { touch ${folder}/once; echo '{"do":"block","reason":"go on","warning":"mind"}'; } ;;
  *'"event":"session-end"'*) echo 'no json' ;;
esac
`,
    )
    writeFileSync(
      join(folder, 'drive.mjs'),
      `import { existsSync, readFileSync } from 'node:fs'
import { LoopPlugin } from ${JSON.stringify(join(built('opencode'), 'plugin/loop.js'))}
const log = []
const client = {
  app: { log: async ({ body }) => log.push(['log', body.message]) },
  tui: { showToast: async ({ body }) => log.push(['toast', body.message, body.variant]) },
  session: {
    prompt: async ({ path, body }) => {
      const [{ text, ignored }] = body.parts
      log.push(['prompt', path.id, body.noReply, text, ...(ignored ? ['not for the model'] : [])])
    },
    messages: async () => ({ data: [
      { info: { role: 'user' }, parts: [{ type: 'text', text: 'question' }] },
      { info: { role: 'assistant' }, parts: [{ type: 'tool' }, { type: 'text', text: 'answer' }] },
    ] }),
  },
}
const plugin = await LoopPlugin({ client, directory: '/project' })
const calls = () => existsSync('calls') ? readFileSync('calls', 'utf8').split('}\\n').length - 1 : 0
const until = async (isSo) => { while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20)) }
const happen = (type, properties) => plugin.event({ event: { type, properties } })
await happen('session.created', { info: { id: 's' } })
await until(() => log.length === 1)
await happen('session.created', { info: { id: 'child', parentID: 's' } })
await happen('session.idle', { sessionID: 'child' })
const use = plugin['tool.execute.before']({ tool: 'bash', sessionID: 's' }, { args: { command: 'rm -rf /' } })
await use.catch((error) => log.push(['denied', error.message]))
await happen('session.idle', { sessionID: 's' })
await until(() => log.length === 6)
await happen('session.idle', { sessionID: 's' })
await until(() => calls() === 4)
const error = { name: 'APIError', data: { statusCode: 429, message: 'later' } }
await happen('session.error', { sessionID: 's', error })
await until(() => calls() === 5)
await happen('session.deleted', { info: { id: 's' } })
await until(() => log.length === 9)
console.log(JSON.stringify(log))
`,
    )
    const env = cleanEnv()
    const driven = spawnSync(process.execPath, [join(folder, 'drive.mjs')], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...env, PATH: `${join(folder, 'bin')}:${env['PATH']}` },
    })
    expect(driven.stderr).toBe('')
    const seen = (text: string) => [
      ['log', text],
      ['toast', text, 'info'],
      ['prompt', 's', true, text, 'not for the model'],
    ]
    expect(JSON.parse(driven.stdout)).toEqual([
      ['prompt', 's', true, 'know this'],
      ['denied', 'not that'],
      ...seen('mind'),
      ['prompt', 's', false, 'go on'],
      ...seen('the answer of loop hook to session-end was no JSON'),
    ])
    const calls = read(folder, 'calls').trim().split('\n')
    const sent = calls.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
    expect(calls.filter((line) => line.startsWith('hook'))).toEqual(Array(6).fill('hook --host opencode'))
    const common = { host: 'opencode', session_id: 's', cwd: '/project' }
    expect(sent).toEqual([
      { ...common, event: 'session-start', source: 'startup' },
      { ...common, event: 'pre-tool', tool: 'bash', args: { command: 'rm -rf /' } },
      { ...common, event: 'stop', last_message: 'answer', stop_hook_active: false },
      { ...common, event: 'stop', last_message: 'answer', stop_hook_active: true },
      { ...common, event: 'stop-failure', error: 'rate_limit', error_message: 'later' },
      { ...common, event: 'session-end' },
    ])
  })
})
