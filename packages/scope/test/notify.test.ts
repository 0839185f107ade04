import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { hooked } from './hooked.ts'
import { isGone, kill, sessions, until } from './sessions.ts'

/** A command that keeps what it is told: a line of words for each time it is run, and its stdin whole. */
function notifier(then = '') {
  const folder = tempFolder('notified')
  const path = join(folder, 'tell')
  script(
    path,
    `#!/bin/sh\nevent=$(cat); printf '%s\\n' "$event" >>'${folder}/events'; env >'${folder}/env'; pwd >'${folder}/cwd'; printf '%s|%s|%s|%s\\n' "$SCOPE_SESSION_ID" "$SCOPE_EVENT" "$SCOPE_REASON" "$SCOPE_TEXT" >>'${folder}/told'\n${then}\n`,
  )
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  return { path, folder, read, told: () => read('told').split('\n').filter(Boolean) }
}

type Notifier = ReturnType<typeof notifier>

function notified({ path }: Notifier, { on, act = '' }: { on?: readonly string[]; act?: string } = {}) {
  const at = sessions({ act })
  const set = (name: string, value: unknown) =>
    expect(at.scope(['config', `notify.${name}`, JSON.stringify(value)])).toMatchObject({ code: 0, stderr: '' })
  set('command', [path, 'a word'])
  if (on !== undefined) set('on', on)
  return { ...at, set }
}

describe('the command of notify.command', () => {
  it('is told of the end of a session that a person has started, with the event, where the project is', async () => {
    const teller = notifier()
    const at = notified(teller)
    at.agent(
      'case $SCOPE_SESSION_ID in 0) scope spawn Below --wait >/dev/null ;; 1) echo "out of\tink" >&2; exit 3 ;; esac',
    )
    at.wait(at.spawn('Write the guide', '--id', 'guide'))
    await until(() => teller.told().length === 1, 'a notice')
    expect(teller.told()).toEqual(['0|done||session 0 (guide) is done: Write the guide'])
    expect(JSON.parse(teller.read('events'))).toEqual(at.events('0').find(({ event }) => event === 'done'))
    expect(teller.read('cwd')).toBe(`${at.root}\n`)
    expect(teller.read('env')).not.toContain('SCOPE_DIR')
    at.wait(at.spawn('Fail'))
    await until(() => teller.told().length === 2, 'the next one')
    expect(teller.told()[1]).toBe('1|failed|exit code 3: out of ink|session 1 has failed: exit code 3: out of ink')
    at.agent('')
    at.wait(at.spawn('Work', '--checker', 'false', '--max-iterations', '2'))
    at.wait(at.spawn('Work', '--max-cost', '0.1'))
    await until(() => teller.told().length === 4, 'two more')
    expect(
      teller
        .told()
        .slice(2)
        .map((line) => line.split('|').slice(0, 3))
        .sort(),
    ).toEqual([
      ['2', 'limit', 'not accepted in 2 iterations'],
      ['3', 'limit', 'it has spent 0.25 USD, and 0.1 USD are allowed'],
    ])
  })

  it('is told of exits and aborts where notify.on says so, and then of nothing else; no end of a session ends it', async () => {
    const teller = notifier(`sleep 1; echo end >>"$(dirname "$0")/ends"`)
    const at = notified(teller, { on: ['exited', 'aborted'] })
    at.agent(`case $SCOPE_SESSION_ID in 0) ;; 1) scope exit 'no way' >/dev/null ;; *) sleep 600 ;; esac`)
    at.wait(at.spawn('Look'))
    at.wait(at.spawn('Try'))
    const id = at.spawn('Hang')
    await until(() => at.isAtWork(id), 'the agent to run')
    expect(at.scope(['abort', id, '--reason', 'enough']).code).toBe(0)
    await until(() => teller.read('ends') === 'end\nend\n', 'both notices')
    expect(
      teller
        .told()
        .map((line) => line.split('|').slice(0, 3))
        .sort(),
    ).toEqual([
      ['1', 'exited', 'no way'],
      ['2', 'aborted', 'enough'],
    ])
  })

  it('is run once where many find out the same', async () => {
    const teller = notifier()
    const at = notified(teller, { act: 'sleep 600' })
    const id = at.spawn('Hang')
    await until(() => at.isAtWork(id), 'the agent to run')
    await kill(at.supervisor(id))
    const many = Array.from({ length: 6 }, () => at.start(['poll', id]).done)
    expect((await Promise.all(many)).map(({ code }) => code)).toEqual(many.map(() => 0))
    await until(() => teller.told().length > 0, 'a notice')
    at.wait(id)
    expect(teller.told()).toHaveLength(1)
    expect(teller.told()[0]).toContain(`${id}|failed|process `)
  })

  it('holds nobody up, is ended at its time, and what went wrong stands in notify.log', async () => {
    const teller = notifier(`echo $$ >"$(dirname "$0")/pid"; sleep 600 & sleep 600`)
    const at = notified(teller)
    at.set('timeout', '1s')
    expect(at.wait(at.spawn('Look')).code).toBe(0)
    const complained = (id: string) => at.files(id).includes('notify.log') && at.file(id, 'notify.log').endsWith('\n')
    await until(() => complained('0'), 'the complaint')
    expect(JSON.parse(at.file('0', 'notify.log'))).toMatchObject({
      ...{ v: 1, error: `${teller.path} was ended: it was out of time after 1000 ms` },
    })
    expect(isGone(Number(teller.read('pid')))).toBe(true)
    at.set('command', ['/nowhere'])
    expect(at.wait(at.spawn('Look')).code).toBe(0)
    await until(() => complained('1'), 'the complaint')
    expect(at.poll('1')).toMatchObject({ status: 'done', exit_reason: null })
  })

  it('is tried by scope notify', () => {
    const teller = notifier('test -e "$(dirname "$0")/fails" && { echo no bell >&2; exit 4; } || :')
    const at = sessions()
    const id = at.spawn('Look')
    at.wait(id)
    const none = at.scope(['notify', id])
    expect(none).toMatchObject({ code: 3, stdout: '' })
    expect(none.stderr).toContain('there is no command to tell you by; scope config notify.command')
    expect(at.scope(['config', 'notify.command', JSON.stringify([teller.path])]).code).toBe(0)
    expect(at.scope(['config', 'notify.on', '["failed"]']).code).toBe(0)
    expect(at.scope(['notify', id])).toMatchObject({ code: 0, stdout: 'session 0 is done: Look\n', stderr: '' })
    expect(teller.told()).toEqual(['0|done||session 0 is done: Look'])
    writeFileSync(join(teller.folder, 'fails'), '')
    const failed = at.scope(['notify', id])
    expect([failed.code, failed.stderr]).toEqual([8, `scope: ${teller.path} ended with exit code 4: no bell\n`])
    expect(at.file(id, 'notify.log')).toContain('exit code 4: no bell')
    expect(at.scope(['notify', id, 'no-event'])).toMatchObject({ code: 3 })
    expect(at.scope(['config', 'notify.on', '["birthday"]'])).toMatchObject({ code: 2 })
    expect(at.scope(['config', 'notify', '--quiet']).stdout).toBe('notify.command\nnotify.on\n')
  })

  it('is told by the hook that somebody is needed, wherever the session stands', async () => {
    const teller = notifier()
    const settings = tempFolder('settings')
    const at = hooked()
    const env = { XDG_CONFIG_HOME: settings }
    expect(at.scope(['config', 'notify.command', JSON.stringify([teller.path])], env).code).toBe(0)
    await at.begin()
    await at.begin('0.0')
    for (const id of ['0', '0.0']) {
      at.hook('claude-session-start', {}, { ...env, SCOPE_SESSION_ID: id })
      at.hook('claude-notice-request', {}, { ...env, SCOPE_SESSION_ID: id })
    }
    await until(() => teller.told().length === 2, 'two notices')
    expect(
      teller
        .told()
        .map((line) => line.split('|').slice(0, 2))
        .sort(),
    ).toEqual([
      ['0', 'needs_input'],
      ['0.0', 'needs_input'],
    ])
    expect(teller.told()[0]).toMatch(
      /\|permission for running: .*\|session 0(\.0)? needs input: permission for running: /,
    )
  })
})
