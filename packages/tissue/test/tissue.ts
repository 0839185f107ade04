import { run } from '@switchyard/testkit'
import { expect } from 'vitest'

/** Runs the built tool as ada. */
export function tissue(cwd: string, args: readonly string[], input = '') {
  const { code, stdout, stderr } = run('tissue', args, { cwd, input, env: { JWZ_AGENT: 'ada' } })
  return { code, stdout, stderr }
}

/** What a verb prints with --json; it has to succeed without a word on stderr. */
export function json(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = tissue(cwd, [...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
