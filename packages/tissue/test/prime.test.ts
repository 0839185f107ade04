import { spawnSync } from 'node:child_process'
import { cleanEnv, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { json, tissue } from './tissue.ts'

/** The command lines of the primer; of several on a line, each. */
function commandsOf(primer: string): string[] {
  const lines = primer.split('\n').filter((line) => line.startsWith('  tissue '))
  return lines.flatMap((line) => line.trim().split(/ {3,}/)).filter((part) => part.startsWith('tissue '))
}

describe('tissue prime', () => {
  it('says in less than 2 KB who you are and how to work', () => {
    const { code, stdout, stderr } = tissue(tempRepo(), ['prime'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('You are "ada" (--as NAME or JWZ_AGENT changes that). Nothing is open.')
  })

  it('stays in 2 KB with what is held, which it names', () => {
    const root = tempRepo()
    const agent = 'a-rather-long-name-for-an-agent'
    expect(tissue(root, ['prime', '--as', agent]).stdout).toContain(agent)
    for (const letter of 'abcdef') {
      tissue(root, ['claim', tissue(root, ['new', `${letter} ${'漢字'.repeat(50)}`]).stdout.trim(), '--as', agent])
    }
    tissue(root, ['new', 'free'])
    const { stdout } = tissue(root, ['prime', '--as', agent])
    expect(stdout).toMatch(/1 of 7 open issues can be started\. You hold .*-.{4} "a 漢.*…", .*" and 3 more\./)
    expect(Buffer.byteLength(stdout)).toBeLessThan(2048)
    expect(tissue(root, ['prime', '--as', 'bob']).stdout).toContain('You hold none.')
    expect(json(root, 'prime', '--as', agent)).toMatchObject({ v: 1, name: agent, text: stdout })
  })

  it('has command lines that work as they stand', () => {
    const root = tempRepo()
    const make = (title: string) => tissue(root, ['new', title]).stdout.trim()
    const commands = commandsOf(tissue(root, ['prime']).stdout)
    expect(commands.length).toBeGreaterThan(13)
    for (const command of commands) {
      const [id, other] = [make('One of words'), make('Two')]
      if (/--renew|release/.test(command)) tissue(root, ['claim', id])
      const line = command.replace(/\bID2\b/, other).replaceAll(/\bID\b/g, id)
      const env = cleanEnv({ JWZ_AGENT: 'ada' })
      const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: root, env, encoding: 'utf8' })
      expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: '' })
    }
  })

  it('names flags that there are', () => {
    const root = tempRepo()
    for (const line of tissue(root, ['prime']).stdout.split('\n')) {
      const verb = /^ {2}tissue (\w+)/.exec(line)?.[1]
      if (verb === undefined) continue
      const page = tissue(root, ['help', verb]).stdout
      for (const [flag] of line.matchAll(/--[a-z-]+/g)) expect(page).toContain(flag)
    }
  })
})
