import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { foldRecords } from '../src/log/fold-all.ts'
import { setting } from '../src/schema/schemas.ts'
import { readSetting, settingNames } from '../src/store/settings.ts'
import { recordsIn } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const names = ['prefix', ...settingNames]

describe('tissue config', () => {
  it('lists every setting with its value and where it comes from, without making a store', () => {
    const root = tempRepo()
    const listed = json(root, 'config')
    expect(listed.map((one: unknown) => setting.parse(one).name)).toEqual(names)
    expect(listed.map(({ origin }: { origin: string }) => origin)).toEqual(names.map(() => 'default'))
    expect(tissue(root, ['config', '--quiet']).stdout).toBe(`${names.join('\n')}\n`)
    expect(tissue(root, ['config']).stdout).toMatch(/^lease +30m +default +how long a claim lasts/m)
    expect(existsSync(join(root, '.tissue'))).toBe(false)
  })

  it('keeps what is set in the log, gives it back, and takes it back', () => {
    const root = tempRepo()
    expect(tissue(root, ['config', 'lease', '1h'])).toEqual({ code: 0, stdout: '1h\n', stderr: '' })
    expect(tissue(root, ['config', 'lease', '1h']).stdout).toBe('1h\n')
    expect(recordsIn(root)).toMatchObject([{ type: 'configured', by: 'ada', settings: { lease: '1h' } }])
    expect(tissue(root, ['config', 'lease']).stdout).toBe('1h\n')
    expect(json(root, 'config', 'lease')).toMatchObject({ value: '1h', origin: 'store', default: '30m' })
    expect(tissue(root, ['config', 'lease', '--unset']).stdout).toBe('30m\n')
    expect(tissue(root, ['config', 'lease', '--unset']).stdout).toBe('30m\n')
    expect(recordsIn(root).slice(1)).toMatchObject([{ type: 'configured', settings: { lease: null } }])
    expect(json(root, 'config', 'lease')).toMatchObject({ value: '30m', origin: 'default' })
  })

  it('knows the prefix: ids begin with it, and unset it is the name of the folder', () => {
    const root = tempRepo()
    expect(tissue(root, ['config', 'prefix', 'sixteen-letters-']).code).toBe(2)
    expect(tissue(root, ['config', 'prefix', 'sixteen-letters0']).stdout).toBe('sixteen-letters0\n')
    expect(tissue(root, ['new', 'x']).stdout).toMatch(/^sixteen-letters0-[0-9a-z]{12}\n$/)
    expect(recordsIn(root).map(({ type }) => type)).toEqual(['configured', 'created'])
    const { stdout } = tissue(root, ['config', 'prefix', '--unset'])
    expect(json(root, 'init').prefix).toBe(stdout.trim())
    expect(json(root, 'config', 'prefix')).toMatchObject({ value: stdout.trim(), default: stdout.trim() })
  })

  it('refuses names that are none and values that do not fit, and writes nothing', () => {
    const root = tempRepo()
    expect(tissue(root, ['config', 'colour'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'tissue: expected a setting, got "colour"; one of prefix, lease, priority, type, stale\n',
    })
    expect(tissue(root, ['config', 'colour', 'red']).code).toBe(3)
    expect(tissue(root, ['config', 'colour', '--unset']).code).toBe(3)
    expect(tissue(root, ['config', 'lease', 'long'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected lease to be a duration of at least 1ms such as 30m or 2h, got "long"\n',
    })
    for (const [name, value] of [
      ['lease', '0s'],
      ['lease', '-1h'],
      ['priority', '0'],
      ['priority', '2.0'],
      ['type', 'Big Bug'],
      ['stale', ''],
      ['prefix', 'A'],
    ] as const)
      expect(tissue(root, ['config', name, value]).code, `${name} ${value}`).toBe(2)
    expect(existsSync(join(root, '.tissue'))).toBe(false)
  })

  it('unsets one setting, and none that is given a value', () => {
    const root = tempRepo()
    for (const [args, got] of [
      [[], 'none'],
      [['lease', '1h'], 'a value for it'],
    ] as const)
      expect(tissue(root, ['config', ...args, '--unset'])).toEqual({
        code: 2,
        stdout: '',
        stderr: `tissue: expected a setting to unset, got ${got}; tissue config NAME --unset\n`,
      })
  })

  it.each([
    [['get', 'lease'], 'NAME'],
    [['set', 'lease', '1h'], 'NAME VALUE'],
    [['unset', 'lease'], 'NAME --unset'],
  ])('answers what it was once, config %j, with what it is now', (words, now) => {
    expect(tissue(tempRepo(), ['config', ...words])).toEqual({
      code: 2,
      stdout: '',
      stderr: `tissue: expected a verb, got "config ${words[0]}"; did you mean tissue config ${now}?\n`,
    })
  })

  it('prints records of the schema that it names', () => {
    const { properties } = JSON.parse(run('tissue', ['schema', 'setting'], { cwd: tempFolder('schema') }).stdout)
    expect(Object.keys(properties)).toEqual(Object.keys(json(tempRepo(), 'config')[0]))
  })
})

describe('a setting', () => {
  const ledgerWith = (settings: Record<string, string | null>) =>
    foldRecords([{ v: 1, id: 'a', seq: 1, at: 0, by: 'ada', type: 'configured', settings }])

  it('is what the store was told, as the verbs use it', () => {
    const ledger = ledgerWith({ lease: '2h', priority: '3', type: 'bug', stale: '1d' })
    expect(settingNames.map((name) => readSetting(ledger, name))).toEqual([7_200_000, 3, 'bug', 86_400_000])
  })

  it('is the default where the log has nothing that can be read', () => {
    const ledger = ledgerWith({ lease: 'for ever', priority: null, type: '', other: 'x' })
    expect(settingNames.map((name) => readSetting(ledger, name))).toEqual([1_800_000, 2, 'task', 1_209_600_000])
  })
})
