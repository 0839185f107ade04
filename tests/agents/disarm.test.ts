import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type AgentPlace, agentPlace } from './agent-place.ts'

const off = '{"guard":{"rules":{"git.force-push":"off"}}}'

/** Each with the rule that stops it in a session; `settings` is the file that has the hooks of the client. */
const tries = (client: string, settings: string) => [
  { rule: 'loop.disarm', command: `loop uninstall ${client}` },
  { rule: 'loop.trust', command: 'loop trust' },
  { rule: 'rm.settings', command: `echo '{}' > ${settings}` },
  { rule: 'rm.settings', command: `echo '${off}' > loop.json` },
  { rule: 'git.force-push', command: 'git push --force origin main' },
]

const stopped = (results: readonly string[]) =>
  results.map((text) => /loop guard \((?<rule>[\w.-]+)\)/.exec(text)?.groups?.['rule'] ?? text)

it('Claude Code as a worker opens no gate and takes off no guard', async () => {
  const calls: { name: string; input: Record<string, string> }[] = []
  const script = [
    { when: { user: /A file/ }, calls },
    { when: { result: /./ }, text: '<loop-done>stuck: nothing is allowed</loop-done>' },
    { text: 'No.', times: 20 },
  ]
  const place = await agentPlace(script, { 'loop.json': '{"verify": "test -e x.txt"}\n' })
  await place.run('loop', ['install', 'claude'])
  const settings = join(place.home, '.claude/settings.json')
  const before = readFileSync(settings, 'utf8')
  const id = (await place.run('tissue', ['new', 'A file', '--quiet'])).stdout.trim()
  const commands = [
    ...tries('claude', settings).map(({ command }) => command),
    ...[`loop land ${id} --no-verify`, 'loop review post lgtm --by bob', `tissue close ${id}`, 'loop cancel --all'],
  ]
  calls.push(
    ...commands.map((command) => ({ name: 'Bash', input: { command } })),
    { name: 'Write', input: { file_path: join(place.repo, '.jwz/x'), content: off } },
    { name: 'Write', input: { file_path: join(place.repo, '.git/hooks/pre-commit'), content: 'exit 0' } },
  )
  const ran = await place.run('loop', ['run', '--issues', '--with', 'claude', '--max-iterations', '1', '--json'])
  expect([ran.code, ran.stderr]).toMatchObject([9, expect.anything()])
  const answers = place.model.requests.find(({ turn }) => turn === 1)?.results ?? []
  expect(answers).toHaveLength(commands.length + 2)
  expect(stopped(answers).filter((rule) => !/^[a-z]+\.[a-z-]+$/.test(rule))).toEqual([])
  expect(readFileSync(settings, 'utf8')).toBe(before)
  expect(readFileSync(join(place.repo, 'loop.json'), 'utf8')).toBe('{"verify": "test -e x.txt"}\n')
  expect(existsSync(join(place.repo, '.git/hooks/pre-commit'))).toBe(false)
  expect(git(place.repo, 'log', '--format=%s')).toBe('Start')
  expect(JSON.parse((await place.run('tissue', ['show', id, '--json'])).stdout).status).not.toBe('closed')
})

type Client = {
  readonly name: string
  readonly settings: string
  readonly begin: readonly string[]
  call(command: string): { name: string; input: Record<string, string> }
  prepare(place: AgentPlace): void
}

const clients: readonly Client[] = [
  {
    name: 'claude',
    settings: '.claude/settings.json',
    begin: ['claude', '-p', 'begin', '--dangerously-skip-permissions'],
    call: (command) => ({ name: 'Bash', input: { command } }),
    prepare: () => undefined,
  },
  {
    name: 'codex',
    settings: '.codex/hooks.json',
    begin: ['codex', 'exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', 'begin'],
    call: (cmd) => ({ name: 'exec_command', input: { cmd } }),
    prepare: () => undefined,
  },
  {
    name: 'gemini',
    settings: '.gemini/settings.json',
    begin: ['gemini', '-p', 'begin', '-m', 'gemini-2.5-flash', '--yolo'],
    call: (command) => ({ name: 'run_shell_command', input: { command, description: 'x' } }),
    prepare({ home }) {
      mkdirSync(join(home, '.gemini'))
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }
      writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings))
    },
  },
]

describe.each(clients)('$name in a session of its own', ({ name, settings, begin, call, prepare }) => {
  it('takes off no guard, where nobody can be asked', async () => {
    const all = tries(name, `~/${settings}`)
    const turns = all.map(({ command }, at) => ({
      when: at === 0 ? { user: /begin/ } : { result: /./ },
      calls: [call(command)],
    }))
    const place = await agentPlace([
      ...turns,
      { when: { result: /./ }, text: 'Understood.' },
      { text: 'No.', times: 9 },
    ])
    const file = join(place.home, settings)
    prepare(place)
    expect(await place.run('loop', ['install', name])).toMatchObject({ code: 0 })
    const before = readFileSync(file, 'utf8')
    const [program = '', ...args] = begin
    await place.run(program, args)
    const answers = place.model.requests.filter(({ results }) => results.length > 0)
    expect(stopped(answers.map(({ results }) => results.join()))).toEqual(all.map(({ rule }) => rule))
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(existsSync(join(place.repo, 'loop.json'))).toBe(false)
    expect(await place.run('loop', ['guard', 'test', 'git push --force origin main'])).toMatchObject({
      code: 1,
    })
  })
})
