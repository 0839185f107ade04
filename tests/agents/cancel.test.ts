import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { agentPlace, knownToClaude } from './agent-place.ts'

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] })

it('/loop:cancel, typed in the terminal of Claude Code, ends the loop with one question', async () => {
  const place = await agentPlace([
    { when: { user: /^begin$/m }, ...bash("loop start 'Make done.txt' --check 'test -e done.txt' --max 10") },
    { when: { result: /loop run/ }, text: 'Begun.' },
    { when: { user: /Iteration 2 of 10/, tools: true }, text: 'Nothing yet.', waitMs: 120_000 },
    { when: { user: /loop cancel/ }, ...bash('loop cancel') },
    { when: { result: /cancel/ }, text: 'It is cancelled.' },
    { text: 'A title.', times: 9 },
  ])
  knownToClaude(place)
  const plugin = join(place.home, 'plugin')
  await place.run('loop', ['plugin', 'build', '--host', 'claude', '--out', plugin])
  const env = { ...place.env, TERM: 'xterm-256color' }
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', `claude-${process.pid}`, ...args], { env, encoding: 'utf8' })
  const exited = join(place.home, 'exited')
  const start = `claude --plugin-dir ${plugin} --allowedTools 'Bash(loop start:*)'; touch ${exited}; sleep 600`
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', '120', '-y', '50', '-c', place.repo, start)
  onTestFinished(() => void tmux('kill-server'))
  const screen = () => tmux('capture-pane', '-p')
  const sees = (text: RegExp) => expect.poll(screen, { timeout: 60_000, interval: 300 }).toMatch(text)
  const type = async (text: string) => {
    tmux('send-keys', '-l', text)
    await sees(new RegExp(`❯\\s${text}`))
    tmux('send-keys', 'Enter')
  }
  const state = async () => JSON.parse((await place.run('loop', ['status', '--json'])).stdout).state
  await sees(/❯/)
  await type('begin')
  await sees(/Iteration 2 of 10/)
  tmux('send-keys', 'Escape')
  await sees(/Interrupted/)
  expect(await state()).toBe('active')
  await type('/loop:cancel')
  await sees(/loop guard \(loop\.cancel\).*Do you want to proceed/s)
  // A key that comes while the question is drawn is lost.
  const accepted = () => {
    if (/Do you want to proceed/.test(screen())) tmux('send-keys', 'Enter')
    return screen()
  }
  await expect.poll(accepted, { timeout: 60_000, interval: 2000 }).toMatch(/It is cancelled\./)
  await expect.poll(state, { timeout: 60_000, interval: 1000 }).toBe('finished')
  expect(place.model.requests.map(({ turn }) => turn)).toEqual(expect.arrayContaining([3, 4]))
  await type('/exit')
  await expect.poll(() => existsSync(exited), { timeout: 60_000, interval: 300 }).toBe(true)
})
