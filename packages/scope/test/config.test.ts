import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { faultEnv, start, stopped, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { settingSchema } from '../src/config/config-schema.ts'
import { kill, sessions, until } from './sessions.ts'

function settled({ act = '' } = {}) {
  const home = tempFolder('config')
  const at = sessions({ act, env: { XDG_CONFIG_HOME: home } })
  const path = join(home, 'scope', 'config.json')
  const set = (...words: readonly string[]) =>
    expect(at.scope(['config', ...words])).toMatchObject({ code: 0, stderr: '' })
  return { ...at, path, set, home, stored: () => JSON.parse(readFileSync(path, 'utf8')) }
}

describe('scope config', () => {
  it('sets settings, shows them and takes them back; the file is plain JSON', () => {
    const { scope, set, stored } = settled()
    expect(scope(['config', 'max_running'])).toMatchObject({ code: 0, stdout: '' })
    set('max_running', '4')
    set('types.explore.model', 'haiku')
    set('types.explore.agent', 'claude')
    set('profiles.quick.timeout', '10m')
    set('worktree.setup', 'true')
    set('profiles.quick.model', '1.0')
    set('types.explore.agent', 'null')
    expect(stored()).toEqual({
      max_running: 4,
      types: { explore: { model: 'haiku', agent: 'null' } },
      profiles: { quick: { timeout: '10m', model: '1.0' } },
      worktree: { setup: 'true' },
    })
    expect(scope(['config', 'max_running']).stdout).toBe('4\n')
    expect(scope(['config', 'types.explore.model']).stdout).toBe('haiku\n')
    expect(scope(['config', 'types', '--quiet']).stdout).toBe('types.explore.agent\ntypes.explore.model\n')
    const all = settingSchema.array().parse(JSON.parse(scope(['config', '--json']).stdout))
    expect(all.find(({ name }) => name === 'max_depth')).toMatchObject({ value: 10, origin: 'default' })
    expect(all.find(({ name }) => name === 'max_running')).toMatchObject({ value: 4, origin: 'user' })
    set('max_running', '--unset')
    set('types.explore', '--unset')
    set('profiles', '--unset')
    set('worktree.setup', '--unset')
    expect(stored()).toEqual({})
  })

  it.each([
    [['max_running', '0'], 2, 'max_running: '],
    [['max_running', 'many'], 2, 'max_running: '],
    [['max_running', 'null'], 2, 'max_running: '],
    [['worktree.setup', '["npm","ci"]'], 2, 'worktree.setup: '],
    [['colour', 'red'], 2, 'there is no setting colour'],
    [['types.dance.model', 'x'], 2, 'types'],
    [['types.explore.colour', 'x'], 2, 'there is no setting types.explore.colour'],
    [['types.explore.timeout', 'soon'], 2, 'types.explore.timeout: expected a duration such as'],
    [['profiles.__proto__.agent', 'x'], 3, 'there is no setting profiles.__proto__.agent'],
    [['colour'], 3, 'there is no setting colour'],
    [['--unset'], 2, 'expected a setting to unset, got none'],
  ] as const)('refuses %j with one line, and changes nothing', (words, code, told) => {
    const { scope, set, stored } = settled()
    set('max_depth', '3')
    const said = scope(['config', ...words])
    expect([said.code, said.stdout]).toEqual([code, ''])
    expect(said.stderr).toContain(told)
    expect(said.stderr.split('\n')).toHaveLength(2)
    expect(stored()).toEqual({ max_depth: 3 })
  })

  it('says which file is no such settings, and starts nothing by it', () => {
    const { scope, path } = settled()
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '{ "max_running": ')
    expect(scope(['spawn', 'x'])).toMatchObject({ code: 2, stdout: '' })
    expect(scope(['spawn', 'x']).stderr).toContain(`expected settings in ${path}: it is no JSON`)
    expect(scope(['list'])).toMatchObject({ code: 2 })
  })

  it('is for a person to change: an agent of a session may look', () => {
    const { scope, stored, set } = settled()
    set('max_running', '2')
    for (const words of [
      ['max_running', '9'],
      ['max_running', '--unset'],
    ])
      expect(scope(['config', ...words], {}, { SCOPE_SESSION_ID: '0' })).toMatchObject({ code: 5, stdout: '' })
    expect(scope(['config', 'max_running'], {}, { SCOPE_SESSION_ID: '0' })).toMatchObject({ code: 0, stdout: '2\n' })
    expect(stored()).toEqual({ max_running: 2 })
  })

  it('goes through a link, which stays one', () => {
    const { path, set, stored, home } = settled()
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(join(home, 'kept.json'), '{}')
    symlinkSync(join(home, 'kept.json'), path)
    set('max_running', '2')
    expect(stored()).toEqual({ max_running: 2 })
    expect(readFileSync(join(home, 'kept.json'), 'utf8')).toContain('"max_running": 2')
  })

  it('loses nothing of what many set at once', async () => {
    const { stored, root, home } = settled()
    const names = Array.from({ length: 8 }, (_, at) => `p${at}`)
    const ends = names.map(
      (name) =>
        start('scope', ['config', `profiles.${name}.agent`, 'codex'], { cwd: root, env: { XDG_CONFIG_HOME: home } })
          .done,
    )
    expect((await Promise.all(ends)).map(({ code }) => code)).toEqual(names.map(() => 0))
    expect(Object.keys(stored().profiles).sort()).toEqual(names)
  })
})

describe('what a session is made of', () => {
  it('is by its kind and by profiles, and the command line wins: --dry-run shows it', () => {
    const { scope, set } = settled()
    set('types.explore.model', 'haiku')
    set('profiles.deep.agent', 'codex')
    set('profiles.deep.model', 'large')
    set('profiles.deep.access', 'read')
    const made = (...words: readonly string[]) => {
      const { agent, model, access } = JSON.parse(scope(['spawn', 'x', '--dry-run', '--json', ...words]).stdout)
      return [agent, model, access]
    }
    expect(made()).toEqual(['claude', null, 'write'])
    expect(made('--type', 'explore')).toEqual(['claude', 'haiku', 'write'])
    expect(scope(['spawn', 'x', '--dry-run', '--type', 'explore']).stdout).toContain('--model=haiku')
    expect(made('--type', 'explore', '--model', 'opus')).toEqual(['claude', 'opus', 'write'])
    expect(made('--type', 'explore', '--profile', 'deep')).toEqual(['codex', 'large', 'read'])
    expect(made('--type', 'explore', '--agent', 'codex')).toEqual(['codex', null, 'write'])
    expect(made('--profile', 'deep', '--agent', 'claude', '--access', 'full')).toEqual(['claude', null, 'full'])
    const none = scope(['spawn', 'x', '--profile', 'none'])
    expect(none).toMatchObject({ code: 3, stdout: '' })
    expect(none.stderr).toContain('there is no profile none: there are deep; scope config profiles.none.agent NAME')
  })

  it('holds for one turn too', () => {
    const at = settled()
    at.set('profiles.quick.agent', 'claude')
    at.set('profiles.quick.model', 'haiku')
    const { code, stdout } = at.scope(['run', '--profile', 'quick'], { input: 'hi' }, { SCOPE_SESSION_ID: 'turn' })
    expect([code, stdout]).toEqual([0, 'Done as told.\n'])
    expect(at.heard('turn', 'argv')).toContain('--model=haiku')
  })

  it('has the variables that --env gives, and no other place holds them', () => {
    const at = settled()
    at.wait(at.spawn('Look', '--env', 'PLACE=a=b c', '--env', 'EMPTY=', '--env', 'XDG_CONFIG_HOME'))
    expect(at.heard('0', 'env')).toContain('PLACE=a=b c\n')
    expect(at.heard('0', 'env')).toContain('\nEMPTY=\n')
    expect(
      at
        .files('0')
        .map((name) => at.file('0', name))
        .join('\n'),
    ).not.toContain('a=b c')
    expect(at.heard('0', 'env')).toContain(`\nXDG_CONFIG_HOME=${at.home}\n`)
    expect(at.scope(['spawn', 'x', '--env', 'PLACE'])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: 'scope: expected --env NAME of a variable that you have, got PLACE\n',
    })
    for (const word of ['=x', '1=x', 'SCOPE_DIR=/', 'SCOPE_DIR', 'CLAUDECODE=1'])
      expect(at.scope(['spawn', 'x', '--env', word])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('how many sessions run', () => {
  it('is at most max_running, also when many start at once; those that get no place leave nothing', async () => {
    const at = settled({ act: 'while [ ! -e go ]; do sleep 0.05; done' })
    at.set('max_running', '2')
    const many = Array.from({ length: 6 }, (_, turn) => at.start(['spawn', `Task ${turn}`]).done)
    const ends = await Promise.all(many)
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 0, 9, 9, 9, 9])
    expect(ends.find(({ code }) => code === 9)?.stderr).toContain(
      '2 sessions run or wait already, which is max_running',
    )
    const ids = JSON.parse(at.scope(['list', '--all', '--json']).stdout).map(({ id }: { id: string }) => id)
    expect(ids.sort()).toEqual(ends.flatMap(({ code, stdout }) => (code === 0 ? [stdout.trim()] : [])).sort())
    const queued = at.start(['spawn', 'Later', '--queue'])
    writeFileSync(join(at.root, 'go'), '')
    const { code, stdout } = await queued.done
    expect(code).toBe(0)
    expect(at.wait(stdout.trim()).code).toBe(0)
  })

  it('is waited for no longer once who waits is stopped, which leaves nothing', async () => {
    const at = settled({ act: 'sleep 600' })
    at.set('max_running', '1')
    const id = at.spawn('First')
    await until(() => at.hasHeard(id), 'the agent to run')
    const queued = at.start(['spawn', 'Later', '--queue'])
    await until(() => existsSync(at.folder('1')), 'the folder of who waits')
    queued.child.kill('SIGTERM')
    expect(await queued.done).toMatchObject({ code: 143, stdout: '' })
    expect(existsSync(at.folder('1'))).toBe(false)
    expect(at.scope(['list', '--quiet']).stdout).toBe('0\n')
  })

  it('is given to those that wait in the order in which they came; who does not wait comes after them', async () => {
    const at = settled({ act: 'echo $SCOPE_SESSION_ID >>order; while [ ! -e go ]; do sleep 0.05; done' })
    at.set('max_running', '1')
    const first = at.spawn('First')
    await until(() => at.hasHeard(first), 'the agent to run')
    const waiting: ReturnType<typeof at.start>[] = []
    for (let turn = 1; turn <= 6; turn++) {
      waiting.push(at.start(['spawn', `Task ${turn}`, '--queue', '--wait']))
      await until(() => at.inStore('queue').length === turn, 'its turn')
    }
    const [killed, halted, ...others] = waiting
    await kill(killed?.child.pid ?? 0)
    // Not while it counts those that run: all others would wait for it.
    do {
      halted?.child.kill('SIGCONT')
      halted?.child.kill('SIGSTOP')
      await stopped(halted?.child.pid)
    } while (at.inStore('.').includes('running.lock'))
    writeFileSync(join(at.root, 'go'), '')
    expect(at.wait(first).code).toBe(0)
    expect(at.scope(['spawn', 'Now'])).toMatchObject({ code: 9, stdout: '' })
    const ends = await Promise.all(others.map(({ done }) => done))
    expect(ends.map(({ code }) => code)).toEqual(others.map(() => 0))
    expect(readFileSync(join(at.root, 'order'), 'utf8')).toBe('0\n3\n4\n5\n6\n')
    halted?.child.kill('SIGCONT')
    expect((await halted?.done)?.code).toBe(0)
    expect(readFileSync(join(at.root, 'order'), 'utf8')).toBe('0\n3\n4\n5\n6\n2\n')
    expect(at.inStore('queue')).toEqual([])
  })

  it('is counted and changed as one: who comes between the two gets no place', async () => {
    const at = settled({ act: 'sleep 600' })
    at.set('max_running', '1')
    const rule = { call: 'openSync', match: '/live/', nth: 1, action: 'stop' } as const
    const slow = at.start(['spawn', 'First'], faultEnv(rule))
    await stopped(slow.child.pid)
    const other = at.start(['spawn', 'Second']).done
    await Promise.race([other, new Promise((done) => setTimeout(done, 1000))])
    slow.child.kill('SIGCONT')
    expect([(await slow.done).code, (await other).code]).toEqual([0, 9])
    await until(() => at.hasHeard('0'), 'the agent to run, so that it is ended with the test')
  })

  it('gives the place of a session whose supervisor was killed to the next one', async () => {
    const at = settled({ act: 'sleep 600' })
    at.set('max_running', '1')
    const id = at.spawn('First')
    await until(() => at.hasHeard(id), 'the agent to run')
    expect(at.scope(['spawn', 'Second']).code).toBe(9)
    await kill(at.supervisor(id))
    await until(() => at.scope(['spawn', 'Third', '--id', 'third']).code === 0, 'a place')
    await until(() => at.hasHeard(at.poll('third').id), 'the agent to run, so that it is ended with the test')
  })
})

it('how deep sessions start each other is limited, and no child may go deeper than its parent was told', () => {
  const at = settled()
  at.agent('scope spawn Below --wait --max-depth 9 2>>deep.txt; echo $? >>deep.txt')
  expect(at.wait(at.spawn('Look', '--max-depth', '1')).code).toBe(0)
  const [told = '', ...codes] = readFileSync(join(at.root, 'deep.txt'), 'utf8').trim().split('\n')
  expect(told).toContain('a session of 0.0 would be 2 deep, and at most 1 is allowed')
  expect(codes).toEqual(['9', '0'])
  at.set('max_depth', '0')
  expect(at.wait(at.spawn('Look')).code).toBe(0)
  expect(readFileSync(join(at.root, 'deep.txt'), 'utf8')).toContain('a session of 1 would be 1 deep, and at most 0')
})
