// Sessions of all projects of a user in one place: which these are, and that nothing else is taken for one.
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { sessionSchema } from '../src/session/session-schema.ts'
import { dashboardOf } from './dashboards.ts'
import { kill, sessions, until } from './sessions.ts'
import { made, written } from './store.ts'

const day = 86_400_000

/** Two projects of a user who has no others. */
function twoProjects() {
  const env = { XDG_STATE_HOME: tempFolder('state') }
  return {
    env,
    here: sessions({ env }),
    there: sessions({ env }),
    noted: join(env.XDG_STATE_HOME, 'switchyard', 'scope-projects.jsonl'),
  }
}

const listed = ({ scope }: Pick<ReturnType<typeof sessions>, 'scope'>, ...flags: readonly string[]) =>
  sessionSchema
    .array()
    .parse(JSON.parse(scope(['list', '--json', ...flags]).stdout))
    .map(({ id, project }) => [id, project])

describe('scope list', () => {
  it('takes those in a state, of an agent, and of the last time', () => {
    const at = sessions()
    const earlier = Date.now() - 2 * day
    written(at.root, [
      ...made('0', { at: earlier }),
      ...made('1', { at: earlier, isOver: true, agent: 'codex' }),
      ...made('2', { agent: 'codex' }),
    ])
    const ids = (...flags: readonly string[]) =>
      at
        .scope(['list', '-q', ...flags])
        .stdout.split('\n')
        .filter(Boolean)
    expect(ids()).toEqual(['0', '1', '2'])
    expect(ids('--since', '1d')).toEqual(['2'])
    expect(ids('--since', '3d', '--agent', 'codex')).toEqual(['1', '2'])
    expect(ids('--state', 'done')).toEqual(['1'])
    expect(at.scope(['list', '--since', 'yesterday'])).toMatchObject({ code: 2, stdout: '' })
    expect(at.scope(['list', '--state', 'alive'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('shows all projects in which sessions were started, each once, and none that is gone', () => {
    const { here, there, noted } = twoProjects()
    expect(here.wait(here.spawn('Of here')).code).toBe(0)
    expect(listed(here, '--all-projects')).toEqual([['0', here.root]])
    for (const task of ['Of there', 'Of there too']) expect(there.wait(there.spawn(task)).code).toBe(0)
    expect(readFileSync(noted, 'utf8').trim().split('\n')).toHaveLength(2)
    expect(listed(here, '--all-projects')).toEqual([
      ['0', here.root],
      ...[
        ['0', there.root],
        ['1', there.root],
      ],
    ])
    expect(listed(here)).toEqual([['0', undefined]])
    expect(here.scope(['list', '--all-projects']).stdout.split('\n')[1]).toMatch(
      new RegExp(`^${there.root}\t0\tdone\t`),
    )
    expect(here.scope(['--once', '--all-projects', '-q']).stdout).toBe(
      ['0', ...['0', '1'].map((id) => `${basename(there.root)}:${id}`), ''].join('\n'),
    )
    renameSync(join(there.root, '.scope'), join(there.root, 'away'))
    expect(listed(here, '--all-projects')).toEqual([['0', here.root]])
  })

  it('takes nothing for a project that is no folder of the user with sessions in it, and no line that it does not know', () => {
    const { here, there, noted } = twoProjects()
    for (const at of [here, there]) expect(at.wait(at.spawn('Look')).code).toBe(0)
    const link = join(tempFolder('links'), '.scope')
    symlinkSync(join(there.root, '.scope'), link)
    const lines = [link, '.scope', '/dev/null', join(here.root, 'none'), 7].map((store) =>
      JSON.stringify({ v: 1, store }),
    )
    rmSync(noted)
    appendFileSync(noted, `${lines.join('\n')}\nno JSON\n`)
    expect(listed(here, '--all-projects')).toEqual([['0', here.root]])
  })

  it('has its user told of a session elsewhere that nobody had found dead', async () => {
    const { here, there } = twoProjects()
    const told = join(here.root, 'told')
    const tell = join(here.root, 'tell')
    script(tell, `#!/bin/sh\necho $SCOPE_SESSION_ID $SCOPE_EVENT >'${told}.new'; mv '${told}.new' '${told}'\n`)
    expect(here.scope(['config', 'notify.command', JSON.stringify([tell])]).code).toBe(0)
    there.agent('sleep 600')
    const id = there.spawn('Work')
    await until(() => there.hasHeard(id), 'the agent to run')
    await kill(there.supervisor(id))
    expect(listed(here, '--all-projects')).toEqual([[id, there.root]])
    await until(() => existsSync(told), 'the notice')
    expect(readFileSync(told, 'utf8')).toBe(`${id} failed\n`)
  })

  it('starts a session also where no project can be noted', () => {
    const at = sessions({ env: { XDG_STATE_HOME: join(tempFolder('state'), 'none') } })
    expect(at.wait(at.spawn('Look')).code).toBe(0)
    const { here, noted } = twoProjects()
    here.scope(['config'])
    expect(here.wait(here.spawn('Look')).code).toBe(0)
    rmSync(noted)
    writeFileSync(`${noted}.other`, '')
    symlinkSync(`${noted}.other`, noted)
    expect(here.wait(here.spawn('Look')).code).toBe(0)
    expect([readFileSync(`${noted}.other`, 'utf8'), existsSync(noted)]).toEqual(['', true])
  })
})

describe('scope poll --tree', () => {
  it('prints a session and all below it, each as poll does', () => {
    const at = sessions()
    const id = at.spawn('Make it', '--checker', 'test -d .git')
    expect(at.wait(id).code).toBe(0)
    at.spawn('Another')
    const polled = at.scope(['poll', id, '--tree'])
    const lines = polled.stdout
      .trim()
      .split('\n')
      .map((line) => sessionSchema.parse(JSON.parse(line)).id)
    expect([polled.code, lines]).toEqual([0, [id, `${id}-0-do`]])
    expect(at.scope(['poll', `${id}-0-do`, '--tree']).stdout).toBe(at.scope(['poll', `${id}-0-do`]).stdout)
    expect(at.scope(['poll', id, '--tree', '--text']).stdout).toContain(`${id}-0-do  done`)
    expect(at.scope(['poll', '--tree'])).toMatchObject({ code: 2, stdout: '' })
    expect(at.scope(['poll', '9', '--tree']).code).toBe(3)
  })
})

describe('the dashboard', () => {
  it('shows the sessions of all projects by p, and acts on one where it is', async () => {
    const { env, here, there } = twoProjects()
    expect(here.wait(here.spawn('Of here')).code).toBe(0)
    there.agent('while [ ! -e go ]; do sleep 0.05; done')
    const id = there.spawn('Of there')
    await until(() => there.isAtWork(id), 'the agent there')
    const name = basename(there.root)
    const terminal = await dashboardOf(here, /0 +Of here +✓ done/, { env: { ...env, SCOPE_BACKEND: 'headless' } })
    terminal.resize(120, 30)
    expect(terminal.screen()).not.toContain('Of there')
    terminal.keys('p')
    await terminal.see(new RegExp(`and your other projects[\\s\\S]*${name}:0 +Of there +● running`))
    terminal.keys('G')
    await terminal.see(
      new RegExp(`^> *${name}:0 .*[\\s\\S]*${name}:0 +Of there[\\s\\S]*is to implement: Of there`, 'm'),
    )
    terminal.keys('L')
    await terminal.see(/Log of .*:0/)
    terminal.keys('q', 'x')
    await terminal.see(new RegExp(`Abort ${name}:0\\? y aborts`))
    terminal.keys('y')
    await terminal.see(/Of there +■ aborted/)
    expect(there.poll(id).status).toBe('aborted')
    expect(here.poll('0').status).toBe('done')
    terminal.keys('p')
    await terminal.see(/^(?![\s\S]*Of there)[\s\S]*Of here/)
    terminal.keys('q')
    await terminal.see(/left with 0/)
    const again = await dashboardOf(here, /Of there +■ aborted/, { command: 'scope --no-tmux --all-projects', env })
    again.keys('q')
    await again.see(/left with 0/)
  })
})
