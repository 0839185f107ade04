// The dashboard as a person sees it: in a real terminal of 80 × 24, moved by keys.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../src/session/event-schema.ts'
import { dashboardOf } from './dashboards.ts'
import { sessions, until } from './sessions.ts'
import { event, made, written } from './store.ts'

/** A screen without what differs from run to run: ages, and the name of the folder. */
const calm = (screen: string) =>
  screen
    .replace(/scope · \S+ ─+/, 'scope · REPO ─ ')
    .replace(/ \d+[smhd]$/gm, ' AGE')
    .replace(/^ +\d+[smhd] {2}/gm, ' AGE  ')
    .trimEnd()

/** The ids of the rows that are shown, from the top. */
const idsOn = (screen: string) =>
  screen.split('\n').flatMap((line) => /^[ >] *[▼▶ ] (\d[\d.]*(?:-\d+-\w+)*) .*[●○◌!✓✗■] /.exec(line)?.[1] ?? [])

const chosenOn = (screen: string) => /^> *[▼▶ ] (\S+)/m.exec(screen)?.[1]

function family() {
  const at = sessions()
  written(at.root, [
    ...made('0', { task: 'Refactor auth to JWT' }),
    ...made('0.0', { task: 'Extract JWT helpers' }),
    ...made('0.1', { task: 'Update middleware', isOver: true }),
    ...made('1', { task: 'Write tests for user module' }),
    ...made('1.0', { task: 'Of roles', needs: 'May I run npm test?' }),
    ...made('2', { task: 'Fix database connection', isOver: true }),
  ])
  return at
}

describe('the dashboard', () => {
  it('is a tree on 80 × 24, those that wait for a person first, with what is known of the chosen one', async () => {
    const at = family()
    const { see, painted } = await dashboardOf(at, /▼ 1 .*\n.*1\.0/, { env: { NO_COLOR: '1' } })
    expect(calm(await see(/is to implement/))).toBe(`─ scope · REPO ─  4 running · 1 needs you ─
 ID       TASK                       STATUS         MODE   ACTIVITY          AGE
>▼ 1      Write tests for user mod…  ● running                               AGE
     1.0  Of roles                   ! needs input         May I run npm t…  AGE
 ▼ 0      Refactor auth to JWT       ● running                               AGE
     0.0  Extract JWT helpers        ● running                               AGE
     0.1  Update middleware          ✓ done                                  AGE
   2      Fix database connection    ✓ done                                  AGE





────────────────────────────────────────────────────────────────────────────────
 1  Write tests for user module
 claude · in /
 AGE  the contract was delivered, 1 bytes
 AGE  the agent was started
 AGE  claude is to implement: Write tests for user module




 n new  ↵ attach  x abort  d hide done  / filter  s send  ? help  q quit`)
    expect(painted()).not.toMatch(/\u001b\[(?:\d+;)*3[0-7]/)
  })

  it('moves, folds, hides, filters and shows by keys', async () => {
    const at = family()
    const terminal = await dashboardOf(at, /▼ 1 /)
    const pressing = async (key: string, wanted: RegExp) => {
      terminal.keys(key)
      return await terminal.see(wanted)
    }
    expect(idsOn(terminal.screen())).toEqual(['1', '1.0', '0', '0.0', '0.1', '2'])
    expect(chosenOn(await pressing('j', /^> +1\.0/m))).toBe('1.0')
    await pressing('h', /^>▼ 1 /m)
    expect(idsOn(await pressing('h', /^>▶ 1 .*!/m))).toEqual(['1', '0', '0.0', '0.1', '2'])
    await pressing('l', /^>▼ 1 /m)
    await pressing('Right', /^> +1\.0/m)
    await pressing('Left', /^>▼ 1 /m)
    await pressing('Down', /^> +1\.0/m)
    expect(idsOn(await pressing('d', /1 hidden|2 hidden/))).toEqual(['1', '1.0', '0', '0.0'])
    await pressing('d', /0\.1 /)
    await pressing('/', /Show only what has/)
    terminal.type('jwt hel')
    expect(idsOn(await terminal.see(/2 of 6 shown/))).toEqual(['0', '0.0'])
    await pressing('Enter', /Only what has: jwt hel/)
    expect(idsOn(await pressing('Escape', /2 .*Fix database/))).toHaveLength(6)
    await pressing('?', /edit the rubric/)
    await pressing('q', /▼ 1 .*[\s\S]*q quit/)
    await pressing('L', /q back/)
    await pressing('q', /▼ 1 .*[\s\S]*q quit/)
    terminal.keys('L', 'q', 'L', 'q', 'L')
    await terminal.see(/q back/)
    await pressing('q', /▼ 1 .*[\s\S]*q quit/)
    await pressing('Tab', /j k scroll/)
    await pressing('Escape', /▼ 1 /)
    expect(await pressing('v', /^(?!.*is to implement)[^─]*─[^\n]*\n[^─]*$/)).not.toContain('is to implement')
    await pressing('v', /is to implement/)
    await pressing('Space', /^> +2 /m)
    await pressing('k', /^> +0\.1 /m)
    await pressing('PageUp', /^>▼ 1 /m)
    terminal.keys('q')
    await terminal.see(/left with 0/)
    expect(terminal.ask('#{alternate_on}')).toBe('0')
  })

  it('shows what happens as the feed tells it, and gives the terminal back when it is ended', async () => {
    const at = sessions({ act: 'while [ ! -e go ]; do sleep 0.05; done' })
    const terminal = await dashboardOf(at, /No sessions: n starts one/)
    const id = at.spawn('Look around', '--type', 'explore')
    await terminal.see(/^> {2}0 +Look around +● running/m)
    writeFileSync(join(at.root, 'go'), '')
    expect(at.wait(id).code).toBe(0)
    await terminal.see(/0 +Look around +✓ done[\s\S]*result:\n Done as told\./)
    const [pid = Number.NaN] = terminal.processes(/^\S*node .*scope\S* --no-tmux/)
    process.kill(pid, 'SIGTERM')
    await terminal.see(/left with 143/)
    expect(terminal.ask('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })

  it('shows what has changed in the folder of a session as it grows, and does without one that is gone', async () => {
    const at = sessions()
    writeFileSync(join(at.root, 'a.txt'), 'one\n')
    at.git('add', '.')
    at.git('commit', '-qm', 'a')
    written(at.root, [...made('0', { cwd: at.root }), ...made('1', { cwd: join(at.root, 'gone') })])
    const terminal = await dashboardOf(at, /is to implement: Task 0/)
    writeFileSync(join(at.root, 'a.txt'), 'one\ntwo\n')
    await terminal.see(/1 file changed, 1 insertion[\s\S]*a\.txt +\| +1 \+/)
    writeFileSync(join(at.root, 'a.txt'), 'one\ntwo\nthree\n')
    await terminal.see(/1 file changed, 2 insertions/)
    terminal.keys('j')
    await terminal.see(/is to implement: Task 1/)
    terminal.keys('k')
    await terminal.see(/1 file changed, 2 insertions/)
    terminal.keys('q')
    await terminal.see(/left with 0/)
  })

  it('tells of a loop what its rubric came to, folds it by Enter, and has its rubric edited', async () => {
    const at = sessions()
    const id = at.spawn('Make it', '--checker', 'test -d .git')
    expect(at.wait(id).code).toBe(0)
    const terminal = await dashboardOf(at, /0-0-do/, { env: { EDITOR: 'sed -i s/test/stat/' } })
    await terminal.see(/loop: 1 of 3, accept, 1\/1 gates\n {3}✓ {2}test -d \.git/)
    terminal.keys('Enter')
    expect(idsOn(await terminal.see(/^>▶ 0 +Make it +✓ done +1\/3 /m))).toEqual(['0'])
    terminal.keys('r')
    await until(() => at.file(id, 'rubric.md').includes('stat -d .git'), 'the rubric to be edited')
    terminal.keys('l')
    await terminal.see(/0-0-do/)
    terminal.keys('q')
    await terminal.see(/left with 0/)
  })

  it('shows the sessions of other tools from the feed alone, and leaves them to those', async () => {
    const at = sessions()
    const terminal = await dashboardOf(at, /No sessions: n starts one/)
    const say = (...events: readonly SessionEvent[]) => {
      for (const data of events) {
        const words = ['post', 'scope:feed', '-m', 'news', '--data', JSON.stringify(data)]
        expect(run('jwz', words, { cwd: at.root }).code).toBe(0)
      }
    }
    const [created, ...more] = made('loop:auth-1', { task: 'Land auth-1', agent: 'loop' })
    say(...(created === undefined ? [] : [created, created]), ...more)
    await terminal.see(/loop:auth-1 +Land auth-1 +● running/)
    say(event('loop:auth-1', { event: 'turn', by: 'loop', turn: 'needs_input', reason: 'Two tests fail' }))
    await terminal.see(/1 needs you[\s\S]*! needs input +Two tests/)
    terminal.keys('x')
    await terminal.see(/another tool keeps it going/)
    say(event('loop:auth-1', { event: 'done', by: 'loop' }))
    await terminal.see(/loop:auth-1 +Land auth-1 +✓ done/)
    terminal.keys('q')
    await terminal.see(/left with 0/)
    const again = await dashboardOf(at, /loop:auth-1 +Land auth-1 +✓ done/)
    again.keys('q')
    await again.see(/left with 0/)
  })

  it('moves through a thousand sessions, the one that waits first', async () => {
    const at = sessions()
    const count = 1000
    written(
      at.root,
      Array.from({ length: count }, (_, at) =>
        made(`${at}`, { task: `Task ${at}`, ...(at === 700 ? { needs: 'Which one?' } : {}) }),
      ).flat(),
    )
    const terminal = await dashboardOf(at, /1000 running · 1 needs you/)
    expect(idsOn(terminal.screen()).slice(0, 3)).toEqual(['700', '0', '1'])
    terminal.keys('G')
    expect(idsOn(await terminal.see(/^> +999 /m)).at(-1)).toBe('999')
    terminal.keys('g')
    await terminal.see(/^> +700 /m)
    terminal.resize(120, 40)
    await terminal.see(/AGENT +AGE +COST/)
    terminal.resize(40, 10)
    expect(idsOn(await terminal.see(/ID +TASK +STATUS\n/))).toHaveLength(6)
    terminal.keys('q')
    await terminal.see(/left with 0/)
  })
})
