import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempRepo } from '@switchyard/testkit'

/** The log that `docs/formats/issue.md` explains. */
export const fixture = fileURLToPath(new URL('../../../docs/formats/fixtures/issues.jsonl', import.meta.url))

/**
 * A repository whose store holds the fixture: `auth-k3vd…` is open, `auth-x9qa…` waits for it, `auth-m5t0…` is
 * closed.
 */
export function repoWithIssues(): string {
  const root = tempRepo()
  mkdirSync(join(root, '.tissue'))
  copyFileSync(fixture, logOf(root))
  return root
}

/** The log of the store in this folder. */
export function logOf(root: string): string {
  return join(root, '.tissue', 'issues.jsonl')
}

/** The records of a log, all of whose lines have to be JSON. */
export function recordsIn(root: string): Record<string, unknown>[] {
  return readFileSync(logOf(root), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
