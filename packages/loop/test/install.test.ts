import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { faultEnv, full, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { hooksInstalled, hooksRemoved } from '@switchyard/wire/settings/hook-change'
import { withHooks, withoutHooks } from '@switchyard/wire/settings/hook-text'
import { describe, expect, it } from 'vitest'
import { installed } from '../src/install/install-schema.ts'
import { loopHooks } from '../src/plugin/loop-hooks.ts'

function home(settings?: string, path = '.claude/settings.json') {
  const folder = tempFolder('home')
  const file = join(folder, path)
  if (settings !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, settings)
  }
  const loop = (args: readonly string[], env: Record<string, string> = {}) =>
    run('loop', args, { cwd: folder, env: { HOME: folder, XDG_CONFIG_HOME: undefined, ...env } })
  return { folder, file, loop, text: () => readFileSync(file, 'utf8') }
}

const wanted = { host: 'claude', path: 'settings.json', shim: '', own: loopHooks } as const
const claudeEvents = ['Stop', 'PreToolUse', 'PreCompact', 'SubagentStop', 'SessionStart', 'SessionEnd', 'StopFailure']
const theirs = { matcher: 'Bash', hooks: [{ type: 'command', command: 'their-guard --strict' }] }

/** Settings as people, hosts and other tools leave them. */
const hostile: Readonly<Record<string, string>> = {
  'two spaces, other hooks, unknown keys': `${JSON.stringify(
    {
      $schema: 'x',
      permissions: { allow: ['Bash(ls:*)'] },
      hooks: { PreToolUse: [theirs], Notification: [theirs] },
      z: 1,
    },
    null,
    2,
  )}\n`,
  tabs: `{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t${JSON.stringify(theirs)}\n\t\t]\n\t}\n}\n`,
  'one line': '{"env":{"A":"1"},"hooks":{"Stop":[],"X":[]},"n":1.0,"big":12345678901234567890}',
  'numbers and escapes that a rewrite would change': '{\n    "a": 1.50,\n    "b": "\\u00e9\\/",\n    "c": 1e3\n}',
  CRLF: '{\r\n  "a": [1,\r\n 2],\r\n  "env": {}\r\n}\r\n',
  'empty containers': '{ "hooks" : { } , "env" : { } }',
  'brackets and quotes in texts': '{\n "a": "}]{[\\"\\\\",\n "hooks": { "Stop": [ ] }\n}',
  'nothing but an object': '{}\n',
  'an empty file': '',
  'words beside ours in a group': `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"loop hook"}]}]}}`,
}

describe('the settings of a host', () => {
  it.each(Object.entries(hostile))('get our hooks, keep all else, and are as before without them: %s', (_, before) => {
    const { text = '' } = hooksInstalled(before, wanted)
    const after = JSON.parse(text)
    for (const event of claudeEvents) {
      expect(after.hooks[event].at(-1).hooks[0].command).toBe('loop hook --host claude')
    }
    expect(after.env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP).toBe('1000')
    const original = JSON.parse(before.trim() === '' ? '{}' : before)
    for (const [key, value] of Object.entries(original)) {
      if (key !== 'hooks' && key !== 'env') expect(after[key]).toEqual(value)
    }
    for (const [event, groups] of Object.entries(original.hooks ?? {})) {
      expect(after.hooks[event].slice(0, Object(groups).length)).toEqual(groups)
    }
    expect(hooksInstalled(text, wanted).text).toBe(text)
    expect(hooksRemoved(text, before, wanted)).toEqual({ text: before, backup: 'forget' })
  })

  it('are written once, with a copy, and are as before when our hooks are out', () => {
    const before = hostile['two spaces, other hooks, unknown keys'] ?? ''
    const place = home(before)
    const done = place.loop(['install', 'claude', '--json'])
    expect(done.code).toBe(0)
    const backup = `${place.file}.before-loop`
    const said = installed.parse(JSON.parse(done.stdout))
    expect(said).toMatchObject({ state: 'installed', path: place.file, content: place.text(), backup })
    expect(readFileSync(backup, 'utf8')).toBe(before)
    const once = place.text()
    expect(JSON.parse(place.loop(['install', 'claude', '--json']).stdout).state).toBe('unchanged')
    expect(place.text()).toBe(once)
    expect(place.loop(['uninstall', 'claude'])).toMatchObject({ code: 0, stderr: '' })
    expect(place.text()).toBe(before)
    expect(readdirSync(dirname(place.file))).toEqual(['settings.json'])
  })

  it('are changed in the lines that are ours alone', () => {
    const before = hostile['numbers and escapes that a rewrite would change'] ?? ''
    const after = withHooks(before, { ...wanted, host: 'claude' })
    expect(after.startsWith(before.slice(0, -2))).toBe(true)
    const sound = hostile['tabs'] ?? ''
    const head = sound.split('\n').slice(0, 4).join('\n')
    expect(
      withHooks(sound, { ...wanted, host: 'codex' }).startsWith(`${head}\n\t\t\t${JSON.stringify(theirs)},\n`),
    ).toBe(true)
    expect(withHooks(sound, { ...wanted, host: 'codex' })).toContain(
      '\n\t\t"PreToolUse": [\n\t\t\t{\n\t\t\t\t"matcher"',
    )
  })

  it.each([
    ['no JSON', '{"a": }', 'got no JSON'],
    ['a list', '[]', 'got JSON that is no object'],
    ['hooks of another shape', '{"hooks": []}', 'got hooks that are no object'],
    ['an event of another shape', '{"hooks": {"Stop": {}}}', 'got hooks for Stop that are no list'],
    ['an env of another shape', '{"env": 1}', 'got env that is no object'],
    ['hooks twice', '{"hooks": {}, "hooks": {}}', 'got hooks twice'],
    ['other bytes', '{"a": "\uFFFD"}', 'got bytes that are no UTF-8'],
  ])('are left alone when they are not what the host could read: %s', (_, before, told) => {
    for (const change of [() => hooksInstalled(before, wanted), () => hooksRemoved(before, undefined, wanted)]) {
      expect(change).toThrow(told)
    }
  })

  it('are left alone, and the refusal says so', () => {
    const place = home('{\n  // mine\n  "a": \n}')
    for (const verb of ['install', 'uninstall']) {
      const refused = place.loop([verb, 'claude'])
      expect(refused).toMatchObject({ code: 7, stdout: '' })
      expect(refused.stderr).toContain('got no JSON: ValueExpected in line 4')
      expect(refused.stderr).toContain('nothing was changed')
    }
    expect(place.text()).toContain('// mine')
    expect(readdirSync(dirname(place.file))).toEqual(['settings.json'])
  })

  it('keep their comments, also where others changed them since', () => {
    const before = '{\n  // mine\n  "a": 1, /* of a */\n  "hooks": {\n    // none yet\n  }\n}\n'
    const place = home(before)
    expect(place.loop(['install', 'claude']).code).toBe(0)
    expect(place.text()).toMatch(/^\{\n {2}\/\/ mine\n {2}"a": 1, \/\* of a \*\/\n/)
    expect(place.text()).toContain('    // none yet\n')
    expect(place.text()).toContain('loop hook --host claude')
    expect(place.loop(['install', 'claude', '--quiet']).code).toBe(0)
    writeFileSync(place.file, place.text().replace('"a": 1', '"a": 2'))
    expect(place.loop(['uninstall', 'claude']).code).toBe(0)
    expect(place.text()).toMatch(/^\{\n {2}\/\/ mine\n {2}"a": 2 ?,? ?\/\* of a \*\/\n/)
    expect(place.text()).not.toContain('loop hook')
    const untouched = home(before)
    untouched.loop(['install', 'claude'])
    untouched.loop(['uninstall', 'claude'])
    expect(untouched.text()).toBe(before)
  })

  it('keep what was changed since, when our hooks are taken out', () => {
    const place = home('{\n  "a": 1,\n  "env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "5"}\n}\n')
    place.loop(['install', 'claude'])
    const changed = JSON.parse(place.text())
    changed.hooks.Stop.push(theirs)
    changed.hooks.SessionEnd[0].hooks.unshift(theirs.hooks[0])
    changed.b = 2
    writeFileSync(place.file, JSON.stringify(changed, null, 2))
    expect(place.loop(['uninstall', 'claude']).code).toBe(0)
    expect(JSON.parse(place.text())).toEqual({
      a: 1,
      b: 2,
      env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '5' },
      hooks: { Stop: [theirs], SessionEnd: [{ hooks: theirs.hooks }] },
    })
  })

  it('have the hooks of an earlier version replaced', () => {
    const old = { hooks: [{ type: 'command', command: 'loop hook stop --host claude', timeout: 5 }] }
    const after = JSON.parse(
      withHooks(JSON.stringify({ hooks: { Stop: [old, theirs], Old: [old] } }), { ...wanted, host: 'claude' }),
    )
    expect(after.hooks.Old).toBeUndefined()
    expect(after.hooks.Stop).toEqual([
      theirs,
      { hooks: [{ ...old.hooks[0], command: 'loop hook --host claude', timeout: 600 }] },
    ])
    expect(withoutHooks(JSON.stringify({ hooks: { Stop: [old] } }), { ...wanted, host: 'claude' })).toBe('{}')
    expect(withoutHooks('{"hooks":{"Stop":[1,null,{}]}}', { ...wanted, host: 'claude' })).toBe(
      '{"hooks":{"Stop":[1,null,{}]}}',
    )
  })
})

describe('loop install', () => {
  it('makes the file of each host where it belongs, and uninstall removes it', () => {
    const place = home()
    const repo = tempRepo()
    const paths: [string, string[], string][] = [
      ['claude', [], join(place.folder, '.claude/settings.json')],
      ['codex', [], join(place.folder, '.codex/hooks.json')],
      ['gemini', [], join(place.folder, '.gemini/settings.json')],
      ['opencode', [], join(place.folder, '.config/opencode/plugin/loop.js')],
      ['claude', ['--scope', 'project'], join(repo, '.claude/settings.json')],
      ['codex', ['--scope', 'project'], join(repo, '.codex/hooks.json')],
      ['gemini', ['--scope', 'project'], join(repo, '.gemini/settings.json')],
      ['opencode', ['--scope', 'project'], join(repo, '.opencode/plugin/loop.js')],
    ]
    const loop = (...args: string[]) =>
      run('loop', args, { cwd: repo, env: { HOME: place.folder, XDG_CONFIG_HOME: undefined } })
    for (const [host, flags, path] of paths) {
      expect(loop('install', host, ...flags, '--quiet')).toMatchObject({ code: 0, stdout: `${path}\n`, stderr: '' })
      expect(existsSync(path)).toBe(true)
    }
    const codex = JSON.parse(readFileSync(join(place.folder, '.codex/hooks.json'), 'utf8'))
    expect(Object.keys(codex)).toEqual(['hooks'])
    expect(codex.hooks.Stop[0].hooks[0]).toEqual({
      type: 'command',
      command: 'loop hook --host codex',
      timeout: 600,
    })
    for (const [host, flags, path] of paths) {
      expect(loop('uninstall', host, ...flags).code).toBe(0)
      expect(existsSync(path)).toBe(false)
      expect(loop('uninstall', host, ...flags).code).toBe(3)
    }
  })

  it('only says what it would do with --dry-run', () => {
    const place = home('{}')
    const dry = place.loop(['install', 'claude', '--dry-run'])
    expect(dry).toMatchObject({ code: 0, stdout: `claude  would be installed  ${place.file}\n` })
    expect(JSON.parse(place.loop(['install', 'claude', '--dry-run', '--json']).stdout)).toMatchObject({ dry_run: true })
    expect(place.text()).toBe('{}')
    expect(readdirSync(dirname(place.file))).toEqual(['settings.json'])
    const nowhere = home()
    nowhere.loop(['install', 'claude', '--dry-run'])
    expect(readdirSync(nowhere.folder)).toEqual([])
  })

  it('goes by CLAUDE_CONFIG_DIR and CODEX_HOME, and refuses a home that nobody names and a host that nobody knows', () => {
    const place = home()
    const elsewhere = join(place.folder, 'else')
    place.loop(['install', 'claude'], { CLAUDE_CONFIG_DIR: elsewhere })
    place.loop(['install', 'codex'], { CODEX_HOME: elsewhere })
    expect(readdirSync(elsewhere).sort()).toEqual(['hooks.json', 'settings.json'])
    expect(place.loop(['install', 'claude'], { HOME: '' })).toMatchObject({ code: 2, stdout: '' })
    expect(place.loop(['install', 'emacs']).stderr).toContain('expected a host, claude, codex, gemini, opencode')
    expect(place.loop(['install', 'claude', '--scope', 'world']).code).toBe(2)
  })

  it('follows a link, keeps the rights of the file, and refuses a link that leads nowhere', () => {
    const place = home()
    mkdirSync(dirname(place.file))
    const real = join(place.folder, 'dotfiles.json')
    writeFileSync(real, '{}')
    chmodSync(real, 0o600)
    symlinkSync(real, place.file)
    expect(place.loop(['install', 'claude']).code).toBe(0)
    expect(readFileSync(real, 'utf8')).toContain('loop hook --host claude')
    expect(statSync(real).mode & 0o777).toBe(0o600)
    expect(statSync(`${place.file}.before-loop`).mode & 0o777).toBe(0o600)
    const lost = home()
    mkdirSync(dirname(lost.file))
    symlinkSync(join(lost.folder, 'nowhere'), lost.file)
    expect(lost.loop(['install', 'claude'])).toMatchObject({ code: 1, stdout: '' })
  })

  it('does not write over a plugin of somebody else', () => {
    const place = home('export const Theirs = 1\n', '.config/opencode/plugin/loop.js')
    expect(place.loop(['install', 'opencode']).code).toBe(5)
    expect(place.loop(['uninstall', 'opencode']).code).toBe(3)
    expect(place.text()).toBe('export const Theirs = 1\n')
  })

  it('killed at any moment leaves the settings as they were or as they are to be, and can be run again', () => {
    const before = hostile['two spaces, other hooks, unknown keys'] ?? ''
    const after = withHooks(before, { ...wanted, host: 'claude' })
    const seen = new Set<string>()
    for (const { call, nth } of full ? everyCall() : telling) {
      const place = home(before)
      const killed = place.loop(['install', 'claude'], faultEnv({ call, nth, action: 'kill', match: 'settings.json' }))
      expect([call, nth, killed.signal]).toEqual([call, nth, 'SIGKILL'])
      expect([before, after]).toContain(place.text())
      seen.add(place.text())
      expect(place.loop(['install', 'claude']).code).toBe(0)
      expect(place.text()).toBe(after)
      expect(readFileSync(`${place.file}.before-loop`, 'utf8')).toBe(before)
    }
    expect(seen).toEqual(new Set([before, after]))
  })
})

/** Before the copy is written, and is in its place; before the settings are written, half written, are in their place; after. */
const telling = [
  { call: 'writeFileSync', nth: 3 },
  { call: 'renameSync', nth: 2 },
  { call: 'writeFileSync', nth: 5 },
  { call: 'renameSync', nth: 3 },
  { call: 'unlinkSync', nth: 1 },
]

function everyCall() {
  return Array.from({ length: 32 }, (_, index) => ({ call: '*', nth: index + 1 }))
}
