import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { faultEnv, full, run, script, tempFolder, toolPath } from '@switchyard/testkit'
import { eventIn } from '@switchyard/wire/event-name'
import { hosts } from '@switchyard/wire/host'
import { parseSettings } from '@switchyard/wire/settings/json-text'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hookTable } from '../src/agents/hook-table.ts'
import { setupSchema } from '../src/install/setup-schema.ts'
import { home } from './home.ts'
import { hooked } from './hooked.ts'

const settings = '.claude/settings.json'
const paths = {
  claude: settings,
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  opencode: '.config/opencode/plugin/scope.js',
}
const theirs = '{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "their-guard --strict" }] }'
const files = {
  'comments and hooks of others': `{\n  // mine\n  "model": "opus", /* of a */\n  "hooks": {\n    "Stop": [${theirs}],\n    "Notification": []\n  },\n  "z": 1.50\n}\n`,
  tabs: `{\n\t"a": [1,\n 2],\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t${theirs}\n\t\t]\n\t}\n}`,
  'one line': '{"env":{"A":"1"},"hooks":{"Stop":[],"X":[]},"big":12345678901234567890}',
  CRLF: '{\r\n  "a": 1\r\n}\r\n',
  'nothing but an object': '{}\n',
  'an empty file': '',
}

describe('scope setup', () => {
  it.each(Object.entries(files))('three times and uninstall leave the file as it was: %s', (_, before) => {
    const at = home()
    at.put(settings, before)
    for (const state of ['installed', 'unchanged', 'unchanged']) {
      const done = at.scope('setup', '--agent', 'claude', '--json')
      expect(done.code).toBe(0)
      const [only] = z.array(setupSchema).parse(JSON.parse(done.stdout))
      expect(only).toMatchObject({ state, part: 'hooks', agent: 'claude', content: at.text(settings) })
    }
    const plain = at.text(settings).replace(/\/\/ mine|\/\* of a \*\//g, '')
    const { hooks } = JSON.parse(plain)
    for (const { name } of hookTable.claude) {
      expect(hooks[name].at(-1).hooks[0].command).toBe('scope hook --host claude')
    }
    expect(at.scope('uninstall', '--agent', 'claude').code).toBe(0)
    expect(at.text(settings)).toBe(before)
    expect(readdirSync(join(at.folder, '.claude'))).toEqual(['settings.json'])
    expect(at.scope('uninstall', '--agent', 'claude').code).toBe(3)
  })

  it('makes the file of each host where it belongs, of the user and of a project, and uninstall removes it', () => {
    const at = home()
    for (const host of hosts) {
      expect(at.scope('setup', '--agent', host, '--quiet').stdout).toBe(`${join(at.folder, paths[host])}\n`)
      expect(at.text(paths[host])).toContain(host === 'opencode' ? 'scope' : `scope hook --host ${host}`)
    }
    expect(at.scope('setup', '--project', ...hosts.flatMap((host) => ['--agent', host])).code).toBe(0)
    const inRepo = ['.claude/settings.json', '.codex/hooks.json', '.gemini/settings.json', '.opencode/plugin/scope.js']
    for (const path of inRepo) expect(existsSync(join(at.repo, path))).toBe(true)
    expect(at.scope('uninstall').code).toBe(0)
    expect(at.scope('uninstall', '--project').code).toBe(0)
    for (const host of hosts) expect(at.has(paths[host])).toBe(false)
    for (const path of inRepo) expect(existsSync(join(at.repo, path))).toBe(false)
  })

  it('asks each host only for events that it knows', () => {
    for (const entries of Object.values(hookTable)) {
      for (const { event, name } of entries) expect(eventIn({ hook_event_name: name })).toBe(event)
    }
  })

  it('is for the agents on PATH, where none is named', () => {
    const at = home()
    const bin = tempFolder('bin')
    script(join(bin, 'codex'), '#!/bin/sh\n')
    const path = [bin, toolPath().split(delimiter)[0], '/usr/bin', '/bin'].join(delimiter)
    expect(at.with({ PATH: path }, 'setup').code).toBe(0)
    expect([at.has(paths.codex), at.has(paths.claude)]).toEqual([true, false])
    expect(at.with({ PATH: '/nowhere' }, 'setup')).toMatchObject({ code: 3, stdout: '' })
    expect(at.with({ PATH: '/nowhere' }, 'setup', '--agent', 'claude').stderr).toContain('tmux is not on PATH')
    expect(at.scope('setup', '--agent', 'emacs').code).toBe(2)
    expect(at.scope('setup', '--only', 'everything').code).toBe(2)
  })

  it('only looks with --check, and only prints with --print', () => {
    const at = home()
    expect(at.scope('setup', '--agent', 'claude', '--check')).toMatchObject({
      code: 1,
      stdout: `hooks  claude  would be installed  ${join(at.folder, settings)}\n`,
    })
    const printed = at.scope('setup', '--agent', 'claude', '--only', 'hooks,instructions', '--print')
    expect(printed.stdout).toContain('"command": "scope hook --host claude"')
    expect(printed.stdout).toContain('scope spawn "TASK"')
    expect(readdirSync(at.folder)).toEqual([])
    at.scope('setup', '--agent', 'claude')
    expect(at.scope('setup', '--agent', 'claude', '--check')).toMatchObject({ code: 0 })
    expect(at.scope('setup', '--agent', 'claude', '--only', 'instructions', '--check')).toMatchObject({ code: 1 })
  })

  it.each([
    ['no JSON', '{\n  // mine\n  "a": \n}'],
    ['a list', '[]'],
    ['hooks of another shape', '{"hooks": []}'],
    ['bytes that are no text', Buffer.from([123, 34, 0xff, 34, 58, 49, 125]).toString('latin1')],
  ])('refuses settings that the host could not read, and changes no other file: %s', (what, text) => {
    const at = home()
    at.put(settings, '')
    writeFileSync(join(at.folder, settings), text, what.startsWith('bytes') ? 'latin1' : 'utf8')
    const before = readFileSync(join(at.folder, settings))
    for (const verb of ['setup', 'uninstall']) {
      expect(at.scope(verb, '--agent', 'codex', '--agent', 'claude')).toMatchObject({ code: 7, stdout: '' })
    }
    expect(readFileSync(join(at.folder, settings))).toEqual(before)
    expect(at.has(paths.codex)).toBe(false)
  })

  it('refuses a link of a project that leads out of it, and one that leads nowhere', () => {
    const at = home()
    writeFileSync(join(at.folder, 'kept'), '{}')
    mkdirSync(join(at.repo, '.claude'))
    symlinkSync(join(at.folder, 'kept'), join(at.repo, settings))
    symlinkSync(join(at.folder, 'kept'), join(at.repo, 'CLAUDE.md'))
    for (const part of ['hooks', 'instructions']) {
      const refused = at.scope('setup', '--agent', 'claude', '--project', '--only', part)
      expect(refused).toMatchObject({ code: 5, stdout: '' })
      expect(refused.stderr).toContain(realpathSync(join(at.folder, 'kept')))
    }
    expect(at.text('kept')).toBe('{}')
    rmSync(join(at.folder, 'kept'))
    mkdirSync(join(at.folder, '.claude'))
    symlinkSync(join(at.folder, 'kept'), join(at.folder, settings))
    expect(at.scope('setup', '--agent', 'claude')).toMatchObject({ code: 1, stdout: '' })
  })

  it('does not write over a plugin of somebody else', () => {
    const at = home()
    at.put(paths.opencode, 'export const Theirs = 1\n')
    expect(at.scope('setup', '--agent', 'opencode').code).toBe(5)
    expect(at.scope('uninstall', '--agent', 'opencode').code).toBe(3)
    expect(at.text(paths.opencode)).toBe('export const Theirs = 1\n')
  })

  it('killed at any moment leaves the settings as they were or as they are to be', () => {
    const before = files['comments and hooks of others']
    const wanted = home()
    wanted.put(settings, before)
    wanted.scope('setup', '--agent', 'claude')
    const seen = new Set<string>()
    for (const [call, nth] of [
      ['writeFileSync', 3],
      ['renameSync', 2],
      ['writeFileSync', 5],
      ['renameSync', 3],
      ['unlinkSync', 1],
    ] as const) {
      const at = home()
      at.put(settings, before)
      const fault = faultEnv({ call, nth, action: 'kill', match: 'settings.json' })
      expect(at.with(fault, 'setup', '--agent', 'claude').signal).toBe('SIGKILL')
      seen.add(at.text(settings))
      at.scope('setup', '--agent', 'claude')
      expect(at.text(settings)).toBe(wanted.text(settings))
    }
    expect(seen).toEqual(new Set([before, wanted.text(settings)]))
  })
})

describe('the hooks of loop and of scope', () => {
  const orders = [
    ['loop', 'scope', 'loop', 'scope'],
    ['loop', 'scope', 'scope', 'loop'],
    ['scope', 'loop', 'loop', 'scope'],
    ['scope', 'loop', 'scope', 'loop'],
  ] as const

  it.each(orders)('stand in one file, and each goes alone: in %s, %s; out %s, %s', (in1, in2, out1, out2) => {
    for (const before of Object.values(files).slice(0, full ? -1 : 2)) {
      const at = home()
      at.put(settings, before)
      const install = { loop: () => at.loop('install', 'claude'), scope: () => at.scope('setup', '--agent', 'claude') }
      const remove = {
        loop: () => at.loop('uninstall', 'claude'),
        scope: () => at.scope('uninstall', '--agent', 'claude'),
      }
      expect([install[in1]().code, install[in2]().code]).toEqual([0, 0])
      const both = at.text(settings)
      expect(both).toContain('loop hook --host claude')
      expect(both).toContain('scope hook --host claude')
      expect([install[in1]().code, install[in2]().code]).toEqual([0, 0])
      expect(at.text(settings)).toBe(both)
      expect(remove[out1]().code).toBe(0)
      expect(at.text(settings)).not.toContain(`${out1} hook --host`)
      expect(at.text(settings)).toContain(`${out2} hook --host`)
      expect(remove[out2]().code).toBe(0)
      if (out1 === in2) expect(at.text(settings)).toBe(before)
      else expect(meaningOf(at.text(settings))).toEqual(meaningOf(before))
      expect(readdirSync(join(at.folder, '.claude'))).toEqual(['settings.json'])
    }
  })

  it('answer and note the same event side by side', async () => {
    const session = hooked()
    await session.begin()
    session.hook('claude-session-start')
    const given = { tool_input: { command: 'git push --force origin main' }, permission_mode: 'default' }
    const input = session.input('claude-pre-tool', given)
    const guard = run('loop', ['hook', '--host', 'claude'], { cwd: session.root, env: session.env, input })
    expect(guard.stdout).toContain('git.force-push')
    session.hook('claude-pre-tool', given)
    expect(session.poll().activity).toBe('running: git push --force origin main')
  })
})

/** Settings by what they say, with their comments, and without lists of hooks that hold none. */
function meaningOf(text: string): unknown {
  const { hooks = {}, ...rest } = settingsSchema.parse(parseSettings(text))
  const full = Object.fromEntries(Object.entries(hooks).filter(([, groups]) => groups.length > 0))
  return { ...rest, hooks: full, comments: text.match(/\/\/.*|\/\*.*?\*\//g) }
}

const settingsSchema = z.looseObject({ hooks: z.record(z.string(), z.array(z.unknown())).optional() })
