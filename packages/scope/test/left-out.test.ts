import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { type Sessions, sessions, until } from './sessions.ts'

/** The log of a session behind a link, as somebody else may have committed it. */
function plantLog(at: Sessions, id: string): void {
  const elsewhere = join(tempFolder('elsewhere'), 'log')
  writeFileSync(elsewhere, at.file('0', 'events.jsonl').replaceAll('"session":"0"', `"session":"${id}"`))
  mkdirSync(at.folder(id))
  symlinkSync(elsewhere, join(at.folder(id), 'events.jsonl'))
  writeFileSync(join(at.root, '.scope', 'live', id), '')
}

it('a session with a link in it hides no other, and nothing is read through the link', () => {
  const at = sessions()
  at.wait(at.spawn('First'))
  at.wait(at.spawn('Second'))
  const secret = join(tempFolder('elsewhere'), 'secret')
  writeFileSync(secret, 'secret')
  for (const name of ['result', 'activity']) {
    rmSync(join(at.folder('1'), name))
    symlinkSync(secret, join(at.folder('1'), name))
  }
  plantLog(at, '7')
  const left = /^scope: session 7 is left out: .*events\.jsonl is a link/m
  for (const argv of [['list', '--all'], ['poll', '--all'], ['stats']]) {
    const { code, stdout, stderr } = at.scope([...argv, '--json'])
    expect([argv, code, stdout.includes('secret')]).toEqual([argv, 0, false])
    expect(stderr).toMatch(left)
  }
  expect(JSON.parse(at.scope(['list', '--all', '--json']).stdout)).toMatchObject([
    { id: '0', result: 'Done as told.' },
    { id: '1', result: null, activity: '' },
  ])
  expect(at.scope(['--once', '--quiet'])).toMatchObject({ code: 0, stdout: '0\n1\n' })
  expect(at.scope(['poll', '7'])).toMatchObject({ code: 5, stdout: '' })
  at.scope(['config', 'max_running', '5'])
  expect(at.scope(['spawn', 'Third', '--wait']).code).toBe(0)
  renameSync(at.folder('7'), join(at.root, 'seven'))
  symlinkSync(join(at.root, 'seven'), at.folder('7'))
  expect(at.scope(['list', '--all', '--quiet'])).toMatchObject({ code: 0, stdout: '0\n1\n2\n' })
})

it('a session at work whose mark somebody has removed with all others is not left out, and is marked anew', async () => {
  const at = sessions({ act: '[ "$SCOPE_SESSION_ID" = 0 ] || sleep 600' })
  at.wait(at.spawn('Over'))
  const id = at.spawn('At work')
  await until(() => at.isAtWork(id), 'it to be at work')
  at.scope(['config', 'max_running', '1'])
  for (const [argv, code, stdout] of [
    [['list', '--quiet'], 0, '0\n1\n'],
    [['poll', '--active', '--quiet'], 0, '1\n'],
    [['--once', '--quiet'], 0, '0\n1\n'],
    [['spawn', 'More'], 9, ''],
  ] as const) {
    rmSync(join(at.root, '.scope', 'live'), { recursive: true })
    const fault = faultEnv({ call: '*', nth: 2, action: 'kill', match: 'live.' })
    expect([argv, at.scope(argv, {}, fault).signal, at.inStore('live')]).toEqual([argv, 'SIGKILL', []])
    expect(at.scope(argv)).toMatchObject({ code, stdout })
    expect([argv, at.live()]).toEqual([argv, [id]])
  }
  at.scope(['config', 'max_running', '--unset'])
  rmSync(join(at.root, '.scope', 'live'), { recursive: true })
  expect([at.spawn('More'), at.live().length]).toEqual([expect.any(String), 2])
})
