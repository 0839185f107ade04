import { spawnSync } from 'node:child_process'
import { cleanEnv } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { primerSchema } from '../src/schemas.ts'
import { freshBus } from './bus.ts'

/** The command lines of the primer, each with what stands beside it; of several on a line, each. */
function commandsOf(primer: string): { command: string; remark: string }[] {
  return primer
    .split('\n')
    .filter((line) => line.startsWith('  jwz '))
    .flatMap((line) => {
      const parts = line.trim().split(/ {3,}/)
      const commands = parts.filter((part) => part.startsWith('jwz '))
      const remark = parts.filter((part) => !part.startsWith('jwz ')).join(' ')
      return commands.map((command) => ({ command, remark }))
    })
}

describe('jwz prime', () => {
  it('says in less than 2 KB who you are and how to use the bus', () => {
    const { jwz } = freshBus()
    const { code, stdout, stderr } = jwz(['prime'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(Buffer.byteLength(stdout)).toBeLessThan(2048 - 80)
    expect(stdout).toContain('You are "ann" on it')
    expect(primerSchema.parse(JSON.parse(jwz(['prime', '--as', 'bob', '--json']).stdout)).name).toBe('bob')
  })

  it('has command lines that work as they stand', () => {
    const { cwd, jwz, post } = freshBus()
    const first = post('issue:1', 'why two locks? @ann', '--as', 'alice')
    jwz(['reply', first, '-m', 'x'])
    const commands = commandsOf(jwz(['prime']).stdout)
    expect(commands.length).toBeGreaterThan(12)
    for (const { command } of commands) {
      // What has no end by itself gets one; `--expect` wants the newest message.
      const ending = command.startsWith('jwz follow') ? ' --limit 1 --count 1' : ''
      const id = command.includes('--expect') ? jwz(['latest', 'issue:1', '--quiet']).stdout.trim() : first
      const script = `${command}${ending}`.replace(/\bTOPIC\b/, 'issue:1').replace(/\bID\b/, id)
      const env = cleanEnv({ JWZ_AGENT: 'ann' })
      const { status, stderr } = spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8' })
      expect({ script, status, stderr }).toEqual({ script, status: 0, stderr: '' })
    }
  })

  it('names flags and verbs that there are', () => {
    const { jwz } = freshBus()
    const primer = jwz(['prime']).stdout
    for (const { command, remark } of commandsOf(primer)) {
      const verb = /^jwz ((?:lease|topic) \w+|\w+)/.exec(command)?.[1] ?? ''
      const page = jwz(['help', ...verb.split(' ')]).stdout
      for (const [flag] of `${command} ${remark}`.matchAll(/--[a-z-]+/g)) expect(page).toContain(flag)
      const inRemark = /jwz (\w+)/.exec(remark)?.[1]
      if (inRemark !== undefined) expect(jwz(['help', inRemark]).code).toBe(0)
    }
    const rules = primer.slice(primer.indexOf('Rules'))
    for (const [, verb = ''] of rules.matchAll(/(?<!\.)jwz ([a-z]+)/g)) expect(jwz(['help', verb]).code).toBe(0)
  })
})
