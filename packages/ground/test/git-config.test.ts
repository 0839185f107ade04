import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { protectedValues } from '../src/git-config.ts'

/** What git itself finds in the settings of a home, in its order. */
function gitValues(cwd: string, env: NodeJS.ProcessEnv): string[] {
  const { stdout } = spawnSync('git', ['config', '--null', '--get-all', 'safe.directory'], {
    cwd,
    env,
    encoding: 'utf8',
  })
  return stdout.split('\0').slice(0, -1)
}

describe('settings of git that no repository can set', () => {
  it.each([
    ['a plain one', '[safe]\n\tdirectory = /a\n\tdirectory=/b\n'],
    ['other cases and blanks', '[SAFE]\n  Directory   =   /a b  \n[safe] directory = /c\n'],
    [
      'quotes, escapes and comments',
      '[safe]\ndirectory = "/a # b" ; c\ndirectory = /a\\tb\\\\c # d\ndirectory = "x"y\n',
    ],
    ['a value on two lines', '[safe]\ndirectory = /a\\\n/b\n'],
    [
      'an empty one, and another section',
      '[safe]\ndirectory =\n[safe "x"]\ndirectory = /no\n[core]\ndirectory = /no\n',
    ],
    [
      'an include, and one of an include',
      '[safe]\ndirectory = /a\n[include]\npath = below/more\n[safe]\ndirectory = /z\n',
    ],
    ['an include of itself', '[safe]\ndirectory = /a\n[include]\npath = nowhere\npath = ~/below/more\n'],
  ])('are read as git reads them: %s', (_, settings) => {
    const home = tempFolder('settings')
    mkdirSync(join(home, 'below'))
    mkdirSync(join(home, '.config/git'), { recursive: true })
    writeFileSync(join(home, '.gitconfig'), settings)
    writeFileSync(join(home, '.config/git/config'), '[safe]\ndirectory = /xdg\n')
    writeFileSync(join(home, 'below/more'), '[include]\npath = deeper\n[safe]\ndirectory = /more\n')
    writeFileSync(join(home, 'below/deeper'), '[safe]\ndirectory = /deeper\n')
    const counted = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'Safe.Directory', GIT_CONFIG_VALUE_0: '/counted' }
    const env = { ...cleanEnv({ HOME: home, ...counted }), GIT_CONFIG_PARAMETERS: "'safe.directory'='/it'\\''s'" }
    const expected = gitValues(home, env)
    expect(expected).toContain('/xdg')
    expect(protectedValues('safe.directory', env)).toEqual(expected)
  })
})
