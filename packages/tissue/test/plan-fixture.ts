// A plan that several tests make, and looking at what came of it.
import { expect } from 'vitest'
import { tissue } from './tissue.ts'

/** Four issues: one above the others, which wait for each other. */
export const epic = {
  issues: [
    { name: 'epic', title: 'Sign in with keys', type: 'epic', body: '- one\n' },
    { name: 'api', title: 'The calls', parent: 'epic', priority: 1, tag: ['a,b', 'api'], meta: { area: 'auth' } },
    { name: 'page', title: 'The page', parent: 'epic', blocked_by: 'api', ref: 'gh-1', due: '2026-12-01' },
    { name: 'docs', title: 'The guide', parent: 'epic', blocked_by: ['api', 'page'], estimate: '2h', accept: 'Read.' },
  ],
}

/** Runs `new --plan -` with a document on stdin. */
export function plan(root: string, document: unknown, ...args: string[]) {
  return tissue(root, ['new', '--plan', '-', ...args], JSON.stringify(document))
}

export function namesOf(stdout: string): Record<string, string> {
  return Object.fromEntries(stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('  ')])))
}

/** Ids of the issues in a store, in no order that matters. */
export function idsIn(root: string): string[] {
  const { code, stdout } = tissue(root, ['list', '--all', '--quiet'])
  expect(code).toBe(0)
  return stdout.split('\n').filter((id) => id !== '')
}
