import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type AgentPlace, agentPlace } from './agent-place.ts'

const shell = (command: string) => ({ calls: [{ name: 'bash', input: { command, description: 'x' } }] })

function configure({ home, model }: AgentPlace): void {
  const scripted = {
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: `${model.url}/v1`, apiKey: 'sk-dummy' },
    models: { scripted: { name: 'scripted', limit: { context: 100_000, output: 8000 } } },
  }
  const settings = {
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    autoupdate: false,
    share: 'disabled',
    permission: { bash: 'allow', edit: 'allow' },
    provider: { scripted },
  }
  mkdirSync(join(home, '.config/opencode'), { recursive: true })
  writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(settings))
  // With a plugin, it asks npm for its dependencies first, and waits long for a network that is not there.
  writeFileSync(join(home, '.npmrc'), 'offline=true\nfetch-retries=0\n')
}

const begin = {
  when: { user: /begin/, tools: true },
  ...shell("loop start 'Make done.txt' --check 'test -e done.txt'"),
}

/** A server as the terminal's has one: `opencode run` alone ends with the first answer, whatever a plugin says. */
async function serving({ repo, env }: AgentPlace): Promise<string> {
  const server = spawn('opencode', ['serve', '--port', '0'], { cwd: repo, env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void server.kill())
  let said = ''
  for await (const data of server.stdout) {
    said += data
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
    if (url !== undefined) return url
  }
  throw new Error(`opencode serve says no address: ${said}`)
}

it('opencode is held by its plugin: a forbidden command denied, the turn sent back until the check passes', async () => {
  const place = await agentPlace([
    begin,
    { when: { result: /loop run/ }, ...shell('git push --force origin main') },
    { when: { result: /loop guard .git.force-push/ }, text: 'Begun.' },
    { when: { user: /Iteration 2 of/, tools: true }, text: 'Nothing yet.' },
    { when: { user: /Iteration 3 of/, tools: true }, ...shell('touch done.txt') },
    { when: { tools: true }, text: 'Made it.\n\n<loop-done>done</loop-done>' },
    { text: 'A title.', times: 9 },
  ])
  configure(place)
  await place.run('loop', ['install', 'opencode'])
  const url = await serving(place)
  await place.run('opencode', ['run', '--attach', url, 'begin'])
  const status = async () => JSON.parse((await place.run('loop', ['status', '--json'])).stdout).state
  await expect.poll(status, { timeout: 60_000, interval: 3000 }).toBe('finished')
  expect(place.model.requests.flatMap(({ turn }) => (turn < 6 ? [turn] : []))).toEqual([0, 1, 2, 3, 4, 5])
})

it("opencode's terminal shows how the loop ended, for good, and its model does not hear of it", async () => {
  const place = await agentPlace([
    begin,
    { when: { result: /loop run/ }, text: 'Begun.' },
    { when: { user: /Iteration 2 of/, tools: true }, ...shell('touch done.txt') },
    { when: { tools: true }, text: 'Made it.\n\n<loop-done>done</loop-done>' },
    { when: { user: /and now/ }, text: 'Nothing more.' },
    { text: 'A title.', times: 9 },
  ])
  configure(place)
  await place.run('loop', ['install', 'opencode'])
  const env = { ...place.env, TERM: 'xterm-256color' }
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', `opencode-${process.pid}`, ...args], { env, encoding: 'utf8' })
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', '120', '-y', '50', '-c', place.repo, 'opencode')
  onTestFinished(() => void tmux('kill-server'))
  const screen = () => tmux('capture-pane', '-p')
  const sees = (text: RegExp) => expect.poll(screen, { timeout: 60_000, interval: 500 }).toMatch(text)
  const type = async (text: string) => {
    tmux('send-keys', text)
    await sees(new RegExp(`┃ +${text}\\s`))
    tmux('send-keys', 'Enter')
  }
  await sees(/Ask anything/)
  await type('begin')
  const ended = 'loop: the task is complete after 2 iterations.'
  // Once on top of the conversation, once in it.
  await expect.poll(() => screen().split(ended).length, { timeout: 60_000, interval: 500 }).toBe(3)
  await type('and now')
  await sees(/Nothing more\./)
  await expect.poll(() => screen().split(ended).length, { timeout: 60_000, interval: 500 }).toBe(2)
  expect(JSON.stringify(place.model.requests)).not.toContain('the task is complete')
})
