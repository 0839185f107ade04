// The dashboard and the terminal that it is on: what a wide one shows, what is pasted, Ctrl-Z, and an end by an error.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { openTerminal, tempFolder, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { dashboardOf } from './dashboards.ts'
import { sessions } from './sessions.ts'
import { event, made, written } from './store.ts'

const usage = { input_tokens: 900_000, output_tokens: 600_000, cached_tokens: 0 }
const noResult = { event: 'result', by: 'supervisor', bytes: 3, agent_session: null } as const

/** Makes the feed unreadable while it is followed. */
function breakFeed(root: string): void {
  const feed = join(root, '.jwz', 'topics', 'scope', 'feed.jsonl')
  rmSync(feed, { force: true })
  mkdirSync(feed, { recursive: true })
}

describe('a wide terminal', () => {
  it('shows agent, cost or tokens, and the branch of the folder as it changes', async () => {
    const at = sessions()
    at.git('commit', '-qm', 'first', '--allow-empty')
    written(at.root, [
      ...made('0', { cwd: at.root, agent: 'codex' }),
      event('0', { ...noResult, usage, cost_usd: 1.5 }),
      ...made('1', { cwd: at.root }),
      event('1', { ...noResult, usage, cost_usd: null }),
      ...made('2', { cwd: '/' }),
    ])
    const terminal = await dashboardOf(at, /ID +TASK +STATUS +MODE +ACTIVITY +AGE$/m)
    terminal.resize(130, 30)
    await terminal.see(/AGENT +AGE +COST +BRANCH$/m)
    await terminal.see(/Task 0 .* codex +\d+\w +\$1\.50 +main$/m)
    await terminal.see(/Task 1 .* claude +\d+\w +1\.5M +main$/m)
    await terminal.see(/Task 2 .* claude +\d+\w$/m)
    at.git('switch', '-qc', 'feature/x')
    await terminal.see(/Task 1 .* 1\.5M +feature\/x$/m)
    terminal.keys('q')
    await terminal.see(/left with 0/)
  })
})

describe('what is pasted', () => {
  it('is text in a line, line ends and all, and no key elsewhere', async () => {
    const at = sessions()
    written(at.root, made('0', {}))
    const terminal = await dashboardOf(at, /Task 0/)
    const paste = (text: string) => terminal.type(`\u001b[200~${text}\u001b[201~`)
    paste('xy\rq')
    terminal.keys('n')
    await terminal.see(/Task of the new session:\s*$/m)
    paste('Tidy up\r\nq and go\ty')
    await terminal.see(/Task of the new session: Tidy up q and go y/)
    terminal.keys('Escape')
    await terminal.see(/n new {2}↵ attach/)
    expect(at.scope(['list', '-q']).stdout).toBe('0\n')
    terminal.keys('q')
    await terminal.see(/left with 0/)
  })
})

describe('Ctrl-Z', () => {
  it('gives the terminal back to the shell, and fg brings the dashboard, as it is by then', async () => {
    const at = sessions()
    written(at.root, made('0', {}))
    const path = [at.bin, toolPath()].join(delimiter)
    const terminal = openTerminal(at.root, 'bash --norc --noprofile -i', { PATH: path, PS1: 'ready' })
    await terminal.see(/ready/)
    terminal.type('scope --no-tmux')
    terminal.keys('Enter')
    await terminal.see(/Task 0 +● running/)
    terminal.keys('C-z')
    await terminal.see(/Stopped +scope/)
    expect(terminal.ask('#{alternate_on} #{cursor_flag}')).toBe('0 1')
    const id = at.spawn('Meanwhile')
    expect(at.wait(id).code).toBe(0)
    terminal.type('fg')
    terminal.keys('Enter')
    await terminal.see(/Meanwhile +✓ done/)
    expect(terminal.ask('#{alternate_on} #{cursor_flag}')).toBe('1 0')
    terminal.keys('j')
    await terminal.see(/^> +1 /m)
    terminal.keys('q')
    await terminal.see(/ready/)
    expect(terminal.ask('#{alternate_on}')).toBe('0')
  })
})

const commands = [
  ['without tmux', 'scope --no-tmux'],
  ['in the tmux that scope starts', 'env -u TMUX scope'],
] as const

describe('an error', () => {
  const env = { SCOPE_BACKEND: 'headless' }

  it.each(commands)('ends the dashboard, which gives the terminal back and says what to do: %s', async (_, command) => {
    const at = sessions()
    expect(at.wait(at.spawn('Look')).code).toBe(0)
    const terminal = await dashboardOf(at, /Look +✓ done/, { command, env })
    breakFeed(at.root)
    const screen = await terminal.see(/left with 1$/m)
    // The line is as long as the path of the store, and breaks wherever the terminal ends.
    expect(screen.replace(/\s+/g, '')).toMatch(/(?:^|\[exited\])scope:.*feed\.jsonlwastoberead,itisnofile/)
    expect(terminal.ask('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })

  it.each(commands)('that is a bug is told as one, with exit 70: %s', async (_, command) => {
    const at = sessions()
    written(at.root, made('0', {}))
    // The clock of the dashboard breaks once a file is there.
    const preload = join(tempFolder('preload'), 'clock.cjs')
    writeFileSync(
      preload,
      `const { existsSync } = require('node:fs')
const { now } = Date
Date.now = () => { if (existsSync(${JSON.stringify(join(at.root, 'go'))})) throw new TypeError('the clock broke'); return now() }`,
    )
    const terminal = await dashboardOf(at, /Task 0/, { command, env: { ...env, NODE_OPTIONS: `--require=${preload}` } })
    at.write('go', '')
    expect(await terminal.see(/left with 70$/m)).toContain('the clock broke')
    expect(terminal.ask('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })
})
