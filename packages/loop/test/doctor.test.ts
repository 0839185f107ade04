import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run, script, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { finding } from '../src/doctor/finding-schema.ts'
import { hindrances } from '../src/doctor/hindrances.ts'
import { input } from './hook-fixture.ts'

function place(files: Record<string, string> = {}, config?: string) {
  const home = tempFolder('home')
  const root = tempRepo(config === undefined ? undefined : { 'loop.json': config })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const clean = { HOME: home, XDG_CONFIG_HOME: undefined, JWZ_AGENT: 'ada' }
  const loop = (args: readonly string[], env: Record<string, string> = {}) =>
    run('loop', args, { cwd: root, env: { ...clean, ...env } })
  const doctor = (args: readonly string[] = [], env: Record<string, string> = {}) => {
    const { code, stdout } = loop(['doctor', '--json', ...args], env)
    return { code, findings: z.array(finding).parse(JSON.parse(stdout)) }
  }
  return { home, root, loop, doctor }
}

/** The details of what was found about something, with the state before each. */
const about = (findings: readonly z.infer<typeof finding>[], check: string) =>
  findings.filter((one) => one.check === check).map(({ state, detail }) => `${state} ${detail}`)

describe('loop doctor', () => {
  it('finds nothing wrong where nothing is, and says what it looked at', () => {
    const { code, findings } = place().doctor()
    expect(code).toBe(0)
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
    const checks = ['git', 'loop', 'tissue', 'jwz', 'scope', 'loop.json', 'bus', 'runs', 'worktrees']
    expect(findings.map(({ check }) => check)).toEqual([...checks, 'claude', 'codex', 'gemini', 'opencode', 'name'])
    expect(about(findings, 'claude')).toEqual(['ok no hooks of loop'])
  })

  it('proves installed hooks, says when they last ran, and touches those times not', () => {
    const { root, home, loop, doctor } = place()
    loop(['install', 'gemini'])
    mkdirSync(join(root, '.git/loop/hooks'), { recursive: true })
    const heard = join(root, '.git/loop/hooks/gemini.stop')
    writeFileSync(heard, '')
    const at = Date.now() / 1000 - 7300
    utimesSync(heard, at, at)
    const { code, findings } = doctor()
    expect(code).toBe(0)
    expect(about(findings, 'gemini')).toEqual([
      `ok hooks in ${join(home, '.gemini/settings.json')}; last: stop 2h ago`,
      'ok all 6 hooks answer, and the guard stops a forced push',
    ])
    expect(about(doctor().findings, 'gemini')[0]).toContain('last: stop 2h ago')
  })

  it("says whether Codex's login shell finds loop", () => {
    const { home, loop, doctor } = place({ '.profile': 'PATH=/nowhere\n' })
    loop(['install', 'codex'])
    const found = () => about(doctor([], { SHELL: '/bin/sh' }).findings, 'codex').filter((one) => one.includes('login'))
    expect(found()).toEqual(['warn runs commands in a login shell (/bin/sh -lc), which finds no loop'])
    writeFileSync(join(home, '.profile'), `PATH='${toolPath()}'\n`)
    expect(found()).toEqual([expect.stringMatching(/^ok its login shell finds .*loop$/)])
  })

  it('names the hooks that nobody trusted in Codex, behind those of others, and one that is switched off', () => {
    const other = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] } }
    const { home, loop, doctor } = place({ '.codex/hooks.json': JSON.stringify(other) })
    loop(['install', 'codex'])
    const file = join(home, '.codex/hooks.json')
    const found = () => about(doctor().findings, 'codex').filter((one) => one.includes('trusted'))
    const trust = (keys: readonly string[], more = '') =>
      writeFileSync(
        join(home, '.codex/config.toml'),
        ['model = "x"', ...keys.map((key) => `[hooks.state."${file}:${key}"]\ntrusted_hash = "sha256:1"${more}`)].join(
          '\n',
        ),
      )
    const without = 'so Codex leaves'
    expect(found()).toEqual([`warn nobody has trusted the hooks in ${file}, ${without} them out without a word`])
    trust(['pre_tool_use:0:0', 'stop:0:0'])
    expect(found()).toEqual([
      `warn nobody has trusted the hooks for Stop, PreCompact, SubagentStop, SessionStart, SessionEnd in ${file}, ${without} these out without a word`,
    ])
    const all = ['pre_tool_use', 'pre_compact', 'subagent_stop', 'session_start', 'session_end'].map(
      (name) => `${name}:0:0`,
    )
    trust([...all, 'stop:1:0'])
    expect(found()).toEqual([`ok all 6 hooks in ${file} are trusted; Codex asks again when they change`])
    trust([...all, 'stop:1:0'], '\nenabled = false')
    expect(found()[0]).toMatch(/^warn nobody has trusted the hooks in /)

    const earlier = JSON.parse(readFileSync(file, 'utf8'))
    const stopFailure = [{ hooks: [{ type: 'command', command: 'loop hook stop-failure --host codex', timeout: 20 }] }]
    writeFileSync(file, JSON.stringify({ hooks: { ...earlier.hooks, StopFailure: stopFailure } }))
    expect(about(doctor(['--fix']).findings, 'codex').join('\n')).toContain(
      `fixed the hooks in ${file} are not those of`,
    )
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).hooks)).not.toContain('StopFailure')
  })

  it('warns where hooks are installed, and a plugin that stands in no settings ran beside them', () => {
    const { root, loop, doctor } = place()
    loop(['install', 'claude'])
    mkdirSync(join(root, '.git/loop'))
    const stop = (env: Record<string, string>) =>
      run('loop', ['hook', '--host', 'claude'], { cwd: root, env, input: input('claude-stop', root) })
    const beside = () => about(doctor().findings, 'claude').filter((one) => one.includes('plugin'))
    stop({})
    expect(beside()).toEqual([])
    stop({ CLAUDE_PLUGIN_ROOT: '/some/plugin' })
    expect(beside()).toEqual([
      expect.stringMatching(/^warn the plugin ran here too .*--plugin-dir: each hook runs twice then$/),
    ])
  })

  it('finds a broken loop, settings that are no settings, programs that are missing, and a run that died', () => {
    const { root, loop, doctor } = place({}, '{"verify": 1}')
    loop(['install', 'gemini'])
    const died = join(root, '.git/loop/01dead')
    mkdirSync(died, { recursive: true })
    writeFileSync(join(died, 'owner.json'), '{"pid":1,"start":"x","boot":"another"}')
    const bin = tempFolder('bin')
    script(join(bin, 'loop'), '#!/bin/sh\ncat >/dev/null; [ "$1" = --version ] && echo loop 0 && exit; echo no json\n')
    for (const name of ['tissue', 'jwz']) writeFileSync(join(bin, name), '')
    const path = `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`
    const { code, findings } = doctor([], { PATH: path })
    expect(code).toBe(1)
    expect(about(findings, 'tissue')).toEqual(['warn is not on PATH'])
    expect(about(findings, 'loop.json')[0]).toMatch(/^bad expected settings .* at verify/)
    expect(about(findings, 'gemini').at(-1)).toMatch(/^bad hooks fail: stop prints what is no JSON; pre-tool prints/)
    expect(about(findings, 'runs').concat(about(findings, 'leftovers')).join()).toMatch(/01dead|expected settings/)
  })

  it('finds hooks that run twice and those of an earlier version, and renews them with --fix', () => {
    const { home, loop, doctor } = place()
    loop(['install', 'claude'])
    loop(['install', 'claude', '--scope', 'project'])
    const file = join(home, '.claude/settings.json')
    const old = readFileSync(file, 'utf8').replace('"timeout": 600', '"timeout": 60')
    const withPlugin = { ...JSON.parse(old), enabledPlugins: { 'loop@switchyard': true } }
    writeFileSync(file, JSON.stringify(withPlugin, null, 2))
    const found = about(doctor(['--fix']).findings, 'claude')
    expect(found.join('\n')).toMatch(/^fixed the hooks in .* are not those of this version$/m)
    expect(found.join('\n')).toMatch(/^bad the hooks are in .* and in its plugin loop, so each runs 3 times$/m)
    expect(readFileSync(file, 'utf8')).toContain('"timeout": 600')
  })

  it('says in text what to do, and works outside a repository', () => {
    const folder = tempFolder('outside')
    const env = { HOME: folder, XDG_CONFIG_HOME: undefined, JWZ_AGENT: 'ada', PATH: toolPath() }
    const shown = run('loop', ['doctor'], { cwd: folder, env })
    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(/^ok {4}git: git version /m)
    expect(shown.stdout).not.toContain('runs:')
    const told = 'repository: there is none here, so what crashes left is not looked for\n'
    expect(shown.stdout).toContain(`ok    ${told}`)
    expect(run('loop', ['doctor', '--fix'], { cwd: folder, env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`warn  ${told}      call it in the repository where the runs were\n`),
    })
  })
})

describe('what keeps hooks from running', () => {
  function told(host: 'claude' | 'codex' | 'gemini', files: Record<string, string>, env: Record<string, string> = {}) {
    const { home, root } = place(files)
    chmodSync(home, 0o755)
    return hindrances(host, { cwd: root, env: { HOME: home, ...env } }).map(({ state, detail }) => `${state} ${detail}`)
  }
  const cap = (value: string) => JSON.stringify({ env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: value } })

  it("is known for Claude Code, with the host's own cap on stops", () => {
    expect(told('claude', {})).toEqual(['warn ends a turn after 8 stops in a row that a hook blocked'])
    expect(told('claude', { '.claude/settings.json': cap('1000') })[0]).toMatch(/^ok ends a turn after 1000 /)
    expect(told('claude', {}, { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '20' })[0]).toMatch(/^ok ends a turn after 20 /)
    expect(told('claude', { '.claude/settings.json': '{"disableAllHooks": true}' })[0]).toMatch(
      /^bad disableAllHooks in .*settings.json switches all hooks off$/,
    )
  })

  it('is known for Codex and Gemini CLI', () => {
    expect(told('codex', {})).toEqual([])
    expect(told('gemini', { '.gemini/settings.json': '{"hooksConfig": {"enabled": false}}' })[0]).toMatch(
      /^bad hooksConf/,
    )
    expect(told('gemini', {})).toEqual([])
  })
})
