import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, scaled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { sessions, until } from './sessions.ts'

describe('scope spawn', () => {
  it('gives the id at once, and the agent its contract; its files can be read with cat', () => {
    const at = sessions({ act: 'while [ ! -e go ]; do sleep 0.05; done' })
    const { code, stdout, stderr } = at.scope([
      'spawn',
      'Mend the parser',
      '--type',
      'refactor',
      '--input',
      'README.md',
    ])
    expect([code, stdout, stderr]).toEqual([0, '0\n', ''])
    expect(['pending', 'running']).toContain(at.poll('0').status)
    writeFileSync(join(at.root, 'go'), '')
    const { code: ended, waited } = at.wait('0')
    expect([ended, waited.results[0]?.result]).toEqual([0, 'Done as told.'])
    expect(at.heard('0', 'prompt')).toBe(at.file('0', 'contract.md'))
    expect(at.heard('0', 'prompt')).toMatch(
      /# Kind of task: refactor[\s\S]*# Begin with\n\n- `README.md`[\s\S]*# Task\n\nMend the parser$/,
    )
    const files = ['task', 'task_type', 'agent', 'parent', 'state', 'turn', 'exit_reason', 'alias', 'result']
    expect(files.map((name) => at.file('0', name))).toEqual([
      'Mend the parser\n',
      'refactor\n',
      'claude\n',
      '',
      'done\n',
      '',
      '',
      '',
      'Done as told.',
    ])
    expect(at.git('status', '--porcelain')).toBe('?? go')
  })

  it('says on the log what happens, and on the bus at least once', async () => {
    const at = sessions()
    const id = at.spawn('Look around')
    at.wait(id)
    const words = ['created', 'launched', 'started', 'submitted', 'result', 'ended', 'done']
    expect(
      at
        .events(id)
        .map(({ event }) => event)
        .toSorted(),
    ).toEqual(words.toSorted())
    const ids = (name: string) => new Set(at.told(name).map((message) => message.id))
    for (const name of ['session/0', 'scope/feed']) {
      await until(() => ids(name).size === words.length, `all events on ${name}`)
      for (const { id: told, data } of at.told(name))
        expect(at.events(id).find((event) => event.id === told)).toEqual(data)
    }
  })

  it('tells a session whose it is, and the agent of no other session', () => {
    const at = sessions({ act: '[ "$SCOPE_DEPTH" = 2 ] || scope spawn "One below $SCOPE_SESSION_ID" --wait' })
    const { code } = at.scope(['spawn', 'Top', '--wait'], {}, { CLAUDECODE: '1', CLAUDE_CODE_SSE_PORT: '7' })
    expect(code).toBe(0)
    expect([at.file('0.0', 'parent'), at.file('0.0.0', 'task')]).toEqual(['0\n', 'One below 0.0\n'])
    expect(at.poll('0').children).toEqual(['0.0'])
    const env = at.heard('0.0.0', 'env').split('\n')
    expect(env).toEqual(
      expect.arrayContaining([
        ...[`SCOPE_DIR=${join(at.root, '.scope')}`, 'SCOPE_SESSION_ID=0.0.0', 'SCOPE_ROOT_ID=0', 'SCOPE_DEPTH=2'],
        'JWZ_AGENT=scope-0.0.0',
      ]),
    )
    expect(env.filter((line) => /^CLAUDE/.test(line))).toEqual([])
  })

  it('delivers any text byte for byte, once', () => {
    const at = sessions({ act: 'echo once >>calls' })
    const odd = '-- leading; `ticks` \'quotes\' "two"\ttab \u001b[31mred\u001b[201~ \r\n end; \u{1f600} $(no) \\ \n'
    const long = `${odd.repeat(Math.ceil(200_000 / Buffer.byteLength(odd)))}end`
    for (const task of [odd, long]) {
      const id = at.scope(['spawn', '-'], { input: task }).stdout.trim()
      at.wait(id)
      expect(at.heard(id, 'prompt').endsWith(`# Task\n\n${task}`)).toBe(true)
      expect(at.heard(id, 'prompt')).toBe(at.file(id, 'contract.md'))
    }
    expect(readFileSync(join(at.root, 'calls'), 'utf8')).toBe('once\nonce\n')
  })

  it('prints the contract and the command line with --dry-run, and makes nothing', () => {
    const at = sessions()
    const { code, stdout } = at.scope(['spawn', 'Think', '--type', 'explore', '--model', 'small', '--dry-run'])
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'claude -p --output-format=json --permission-mode=acceptEdits --allowedTools=Bash --model=small',
    ])
    expect(stdout).toContain('Do not change any file')
    expect(existsSync(join(at.root, '.scope'))).toBe(false)
  })

  it('refuses bad input with a line that says what to do, and makes nothing', () => {
    const at = sessions()
    const refusals: [readonly string[], number, RegExp][] = [
      [['spawn'], 2, /expected a task, got nothing; scope spawn "what to do"/],
      [['spawn', ' \n'], 2, /expected a task/],
      [['spawn', 'x', '--type', 'sing'], 2, /explore or implement or test or review or refactor, got "sing"/],
      [['spawn', 'x', '--agent', 'codex'], 8, /cannot run codex: no such program; install codex/],
      [['spawn', 'x', '--cwd', 'nowhere'], 3, /there is none at .*nowhere/],
      [['spawn', 'x', '--input', 'nowhere'], 3, /there is no nowhere/],
      [['poll', '0'], 3, /there are no sessions in .*; start one: scope spawn/],
    ]
    for (const [args, code, line] of refusals) {
      const finished = at.scope(args, {}, { PATH: `${at.bin}:/usr/bin:/bin` })
      expect([args, finished.code, finished.stdout]).toEqual([args, code, ''])
      expect(finished.stderr).toMatch(line)
    }
    expect(existsSync(join(at.root, '.scope'))).toBe(false)
  })

  it('keeps a name for one session, and offers a free one', () => {
    const at = sessions()
    expect(at.spawn('First', '--id', 'docs')).toBe('0')
    const { code, stderr } = at.scope(['spawn', 'Second', '--id', 'docs'])
    expect([code, stderr]).toEqual([5, 'scope: session 0 is called docs already; docs-2 is free\n'])
    expect(at.scope(['spawn', 'Third', '--id', '7']).code).toBe(2)
    expect([at.inStore('sessions'), at.inStore('live').filter((id) => id !== '0')]).toEqual([['0'], []])
    expect(at.poll('docs')).toMatchObject({ id: '0', alias: 'docs' })
    expect(at.wait('docs').code).toBe(0)
    expect(at.scope(['list', '--quiet']).stdout).toBe('0\n')
  })

  it('leaves nothing of a session that could not be made, wherever the disk was full', () => {
    const at = sessions()
    at.wait(at.spawn('First'))
    let refused = 0
    for (let nth = 1; nth <= 12; nth += full ? 1 : 3) {
      const fault = faultEnv({ call: 'openSync', nth, action: 'ENOSPC', match: '.draft' })
      const { code, stdout } = at.scope(['spawn', `Try ${nth}`, '--id', `try-${nth}`], {}, fault)
      if (code !== 0) refused += 1
      expect([nth, stdout === '']).toEqual([nth, code !== 0])
      const known = JSON.parse(at.scope(['list', '--all', '--json']).stdout).map(({ id }: { id: string }) => id)
      expect([nth, at.inStore('sessions').toSorted()]).toEqual([nth, known.toSorted()])
      expect([nth, at.inStore('live').filter((id) => !known.includes(id))]).toEqual([nth, []])
    }
    expect(refused).toBeGreaterThan(2)
  })

  it.each(['live', 'sessions', 'names', 'worktrees'])(
    'is refused with one line that says what to do where a file lies in the place of the folder %s',
    (name) => {
      const at = sessions()
      at.wait(at.spawn('First'))
      rmSync(join(at.root, '.scope', name), { recursive: true, force: true })
      writeFileSync(join(at.root, '.scope', name), '')
      const { code, stdout, stderr } = at.scope(['spawn', 'Second', '--id', 'second', '--worktree'])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^scope: expected a folder at .*, it is none; move it away\n$/)
    },
  )

  it('has one folder for each of those who spawn at once, below one parent', async () => {
    const at = sessions({ act: 'sleep 0' })
    const many = scaled(50)
    const parent = at.spawn('Parent')
    at.wait(parent)
    const one = [...Array(many).keys()].map((task) => at.start(['spawn', `Task ${task}`], { SCOPE_SESSION_ID: parent }))
    const ended = await Promise.all(one.map(({ done }) => done))
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']))
    const ids = ended.map(({ stdout }) => stdout.trim())
    expect(new Set(ids)).toEqual(new Set([...Array(many).keys()].map((number) => `0.${number}`)))
    expect(new Set(at.poll(parent).children)).toEqual(new Set(ids))
    const { code } = at.wait(...ids)
    expect(code).toBe(0)
    const tasks = ids.map((id) => at.file(id, 'task').trim())
    expect(new Set(tasks).size).toBe(many)
    await until(() => at.live().length === 0, 'no mark of one at work')
  })
})
