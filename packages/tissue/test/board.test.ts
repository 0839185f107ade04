import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { openTerminal, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { json, tissue } from './tissue.ts'

/** A store of three issues, one of them waiting for the first, and the board of it on a terminal. */
function board({ env, flags = '' }: { env?: Record<string, string>; flags?: string } = {}) {
  const cwd = tempFolder('board')
  const make = (...args: string[]) => tissue(cwd, ['new', ...args]).stdout.trim()
  const login = make('Fix login', '-p', '1', '-b', `Only with SSO.\n${'more\n'.repeat(30)}the last line`)
  const notes = make('Write notes', '--blocked-by', login)
  const wide = make('漢字 and 👩‍👩‍👧')
  // What the terminal is like afterwards is said by itself.
  const after = 'echo code=$?; stty -a | grep -o -- "-*icanon"'
  const terminal = openTerminal(cwd, `tissue board ${flags}; ${after}`, env)
  return { cwd, login, notes, wide, ...terminal }
}

type Pane = ReturnType<typeof board>

/** Has the board draw for a terminal that takes nothing, until there is no room between them; then ends it. */
async function stopAndFill(pane: Pane): Promise<void> {
  const child = pidOf(pane)
  process.kill(pane.server, 'SIGSTOP')
  // Each makes it draw the whole screen.
  for (let drawn = 0; drawn < 300; drawn += 1) {
    process.kill(child, 'SIGCONT')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  process.kill(child, 'SIGTERM')
}

/** The process of the board itself. */
function pidOf({ processes }: Pane): number {
  return processes(nodeBoard)[0] ?? Number.NaN
}

const nodeBoard = /^\S*node \S*tissue board/

const ended = /code=\d+\n-*icanon/

/** Whether the terminal is as it was: the shell's screen, the cursor, whole lines. */
function expectGivenBack({ ask, screen }: Pane) {
  expect(ask('#{alternate_on} #{cursor_flag} #{wrap_flag}')).toBe('0 1 1')
  expect(screen()).toMatch(/^icanon$/m)
}

describe('tissue board', () => {
  it('shows the columns, and gives the terminal back', async () => {
    const pane = board()
    const shown = await pane.see(/waits 1/)
    expect(shown).toMatch(/^> Ready 2 +Blocked 1 +In progress 0 +Paused 0 +Closed 0/)
    expect(shown).toMatch(/^> .{4} P1 Fix login/m)
    expect(shown).toContain('漢字 and 👩‍👩‍👧')
    expect(pane.ask('#{alternate_on} #{cursor_flag}')).toBe('1 0')
    pane.keys('q')
    expect(await pane.see(ended)).toContain('code=0')
    expectGivenBack(pane)
  })

  it('claims, releases, closes with a reason and opens', async () => {
    const { cwd, login, see, keys, type } = board({ flags: '--as eve' })
    await see(/Fix login/)
    keys('c')
    await see(/In progress 1[\s\S]*claimed/)
    expect(json(cwd, 'show', login)).toMatchObject({ status: 'in_progress', claim: { by: 'eve' } })
    keys('l', 'l', 'r')
    await see(/Ready 2[\s\S]*released/)
    expect(json(cwd, 'show', login).claim).toBeNull()
    keys('h', 'h', 'g', 'x')
    await see(/why\?/)
    type('fixed in a1')
    keys('Enter')
    await see(/Closed 1[\s\S]*closed/)
    expect(json(cwd, 'show', login)).toMatchObject({ status: 'closed', close_reason: 'fixed in a1' })
    keys('Tab', 'Tab', 'Tab', 'Tab', 'o')
    await see(/Closed 0/)
    expect(json(cwd, 'show', login).status).toBe('open')
  })

  it('says what was refused, and goes on', async () => {
    const { cwd, login, see, keys } = board()
    await see(/Fix login/)
    tissue(cwd, ['claim', login, '--as', 'bob'])
    await see(/bob 30m/)
    keys('l', 'l', 'c')
    expect(await see(/expected/)).toMatch(/bob holds it until/)
    keys('h')
    expect(await see(/> Blocked/)).not.toMatch(/bob holds it/)
  })

  it('shows an issue whole, with what is written meanwhile', async () => {
    const { cwd, login, see, keys } = board()
    await see(/Fix login/)
    keys('Enter')
    expect(await see(/Only with SSO/)).not.toContain('the last line')
    keys('G')
    await see(/the last line/)
    tissue(cwd, ['comment', login, '-m', 'seen by bob'])
    keys('G')
    await see(/seen by bob/)
    keys('g', 'q')
    await see(/> Ready 2/)
  })

  it('narrows by words, and explains itself', async () => {
    const { see, keys, type } = board()
    await see(/Fix login/)
    keys('/')
    type('NOTES')
    await see(/Ready 0 +Blocked 1/)
    keys('Enter')
    expect(await see(/\/NOTES +\? help/)).not.toContain('Fix login')
    keys('Escape')
    await see(/Ready 2/)
    keys('?')
    await see(/any key goes back/)
    keys('q')
    await see(/Ready 2/)
  })

  it('does not act on what is pasted', async () => {
    const { cwd, login, see, ask, keys } = board()
    await see(/Fix login/)
    keys('-H', ...[...Buffer.from('\u001b[200~xcq\u001b[201~?')].map((byte) => byte.toString(16)))
    await see(/any key goes back/)
    expect(ask('#{alternate_on}')).toBe('1')
    expect(json(cwd, 'show', login)).toMatchObject({ status: 'open', claim: null })
  })

  it('fits a terminal that becomes tiny, and large again', async () => {
    const { see, resize, keys } = board()
    await see(/Fix login/)
    resize(40, 5)
    expect(await see(/^> Ready 2 *\n> /)).not.toContain('Blocked')
    resize(9, 2)
    expect(await see(/^> .{4} P1?…?/)).not.toContain('login')
    resize(1, 1)
    resize(140, 12)
    await see(/^> Ready 2 +Blocked 1/)
    keys('l')
    await see(/> Blocked 1/)
  })

  it('is readable without colours', async () => {
    const { see, ask, keys } = board({ env: { NO_COLOR: '1' } })
    expect(await see(/^> .{4} P1 Fix login/m)).toContain('> Ready')
    expect(ask('#{alternate_on}')).toBe('1')
    keys('C-c')
    await see(/code=0/)
  })

  it.each(['TERM', 'INT', 'HUP', 'QUIT'])('gives the terminal back on SIG%s', async (signal) => {
    const pane = board()
    await pane.see(/Fix login/)
    process.kill(pidOf(pane), `SIG${signal}`)
    expect(await pane.see(ended)).toMatch(/code=(143|130|129|131)/)
    expectGivenBack(pane)
  })

  it.each([
    ['the terminal is closed', ({ server }: Pane) => process.kill(server, 'SIGKILL')],
    ['its shell is killed', ({ ask }: Pane) => process.kill(Number(ask('#{pane_pid}')), 'SIGKILL')],
    ['a stopped terminal leaves it no room, and SIGTERM comes', stopAndFill],
  ])('is gone when %s', async (_, end) => {
    const pane = board()
    await pane.see(/Fix login/)
    expect(pane.processes(nodeBoard)).toHaveLength(1)
    await end(pane)
    await expect.poll(() => pane.processes(nodeBoard), { timeout: 500_000 }).toEqual([])
  })

  it('gives the terminal back when the store goes bad, and says why', async () => {
    const pane = board()
    await pane.see(/Fix login/)
    const log = join(pane.cwd, '.tissue/issues.jsonl')
    renameSync(log, `${log}.away`)
    mkdirSync(log)
    expect(await pane.see(ended)).toMatch(/issues.jsonl was to be read, it is no file\ncode=1/)
    expectGivenBack(pane)
  })

  it('goes to the background and comes back', async () => {
    const pane = board()
    await pane.see(/Fix login/)
    const child = pidOf(pane)
    pane.keys('C-z')
    await expect.poll(() => pane.ask('#{alternate_on}'), { timeout: 500_000 }).toBe('0')
    process.kill(child, 'SIGCONT')
    await pane.see(/> Ready 2/)
    expect(pane.ask('#{alternate_on}')).toBe('1')
  })

  it.each([[['board']], [['board', '--json']]])('needs a terminal: %j says what to do', (args) => {
    const { code, stdout, stderr } = tissue(tempFolder('board'), args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/tissue board --html, or tissue list/)
  })
})
