import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { verbs } from '../src/verbs.ts'

it('the reference has the exit codes of each verb', () => {
  const page = readFileSync(new URL('../../../docs/scope-reference.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('## Exit codes')
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  const told = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(told.toSorted()).toEqual(Object.keys(verbs).toSorted())
})
