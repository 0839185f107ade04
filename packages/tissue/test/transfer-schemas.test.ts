import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { exported, imported, migration, planned } from '../src/schema/transfer-schemas.ts'
import { beads, linesOf } from './foreign.ts'
import { originalStore } from './original.ts'
import { tissue } from './tissue.ts'

/** What a call prints as JSON, whatever it says on stderr. */
function printed(root: string, args: readonly string[], input = ''): unknown {
  const { code, stdout } = tissue(root, [...args, '--json'], input)
  expect(code, args.join(' ')).toBe(0)
  return JSON.parse(stdout)
}

describe('what import, export and migrate print with --json', () => {
  it('is what tissue schema says', () => {
    const root = tempFolder('schemas')
    const issues = linesOf(beads)
    planned
      .array()
      .length(3)
      .parse(printed(root, ['import', '-', '--dry-run'], issues))
    imported
      .array()
      .length(3)
      .parse(printed(root, ['import', '-'], issues))
    imported
      .array()
      .length(3)
      .parse(printed(root, ['import', '-'], issues))
    exported.parse(printed(root, ['export', '--format', 'csv', '-o', 'out.csv']))
    exported.parse(printed(root, ['export', '-o', 'out.jsonl']))
    migration.parse(printed(root, ['migrate', originalStore(), '--dry-run']))
    migration.parse(printed(root, ['migrate', originalStore()]))
    const names = tissue(root, ['schema']).stdout
    for (const name of ['imported', 'planned', 'exported', 'migration']) {
      expect(names).toContain(name)
      expect(JSON.parse(tissue(root, ['schema', name]).stdout)).toMatchObject({ type: 'object' })
    }
  })

  it('is one object a line with --jsonl', () => {
    const root = tempFolder('schemas')
    const { stdout } = tissue(root, ['import', '-', '--jsonl'], linesOf(beads))
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => imported.parse(JSON.parse(line)).created),
    ).toEqual([true, true, true])
    const github = tissue(root, ['export', '--format', 'github', '--jsonl']).stdout
    expect(
      github
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).number),
    ).toEqual([1, 2, 3])
  })
})
