import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { columnOf } from '../src/import/csv-columns.ts'
import { fieldFlags, flagOf, type Kind, kindOf, type OptionalField, optionalNames } from '../src/schema/fields.ts'
import { json, tissue } from './tissue.ts'

/** For each kind of field: a text as flags take it, what an event has of it, how `show` says it, and what sorts behind. */
const samples: Readonly<Record<Kind, { given: string; held: string | number; shown: string; later: string }>> = {
  line: { given: 'Blue herons', held: 'Blue herons', shown: 'Blue herons', later: 'Zebras' },
  text: { given: 'One\n\ntwo', held: 'One\n\ntwo', shown: 'One\n\ntwo', later: 'Zwei' },
  word: { given: 'blue', held: 'blue', shown: 'blue', later: 'zinc' },
  name: { given: 'bob', held: 'bob', shown: 'bob', later: 'zoe' },
  priority: { given: '1', held: 1, shown: '1', later: '5' },
  moment: {
    given: '2099-01-01',
    held: Date.parse('2099-01-01'),
    shown: '2099-01-01T00:00:00.000Z',
    later: '2099-02-01',
  },
  span: { given: '2h', held: 7_200_000, shown: '2h', later: '3d' },
}

/** Each field that an issue may lack, with its flag and a value. */
const fields = optionalNames.map((field) => ({ field, flag: flagOf[field], ...samples[kindOf(field)] }))
const isLong = (field: OptionalField) => kindOf(field) === 'text'

function ok(cwd: string, args: readonly string[], input = ''): string {
  const { code, stdout, stderr } = tissue(cwd, args, input)
  expect(code, `tissue ${args.join(' ')}: ${stderr}`).toBe(0)
  return stdout
}

/** A store with an issue that has the field, one that comes after it, and one that lacks it. */
function storeWith({ flag, given, later }: (typeof fields)[number]) {
  const cwd = tempFolder('fields')
  const lacking = ok(cwd, ['new', 'Lacking']).trim()
  const after = ok(cwd, ['new', 'After', `--${flag}`, later]).trim()
  const having = ok(cwd, ['new', 'Having', `--${flag}`, given]).trim()
  return { cwd, having, after, lacking }
}

describe.each(fields)('the field $field', (sample) => {
  const { field, flag, given, held, shown } = sample
  const { cwd, having, after, lacking } = storeWith(sample)

  it('is a flag of new and of edit, which takes it away again', () => {
    const { value, summary } = fieldFlags[flag]
    for (const verb of ['new', 'edit']) {
      const help = ok(cwd, [verb, '--help']).replace(/\s+/g, ' ')
      expect(help).toContain(`--${flag} ${value} ${summary}`)
    }
    const id = ok(cwd, ['new', 'Gone', '--key', 'gone', `--${flag}`, given]).trim()
    expect(json(cwd, 'show', id)[field]).toBe(held)
    ok(cwd, ['edit', id, `--${flag}`, 'none'])
    expect(json(cwd, 'show', id)[field] ?? null).toBeNull()
    ok(cwd, ['close', id])
  })

  it('is in the schemas of issues, events, plans and acts', () => {
    const described = (record: string) => JSON.stringify(JSON.parse(ok(cwd, ['schema', record])))
    expect(described('issue')).toContain(`"${field}":`)
    expect(described('event').split(`"${field}":`).length, 'created and edited, alone and in a batch').toBe(5)
    expect(described('plan')).toContain(`"${flag}":`)
    expect(described('act').split(`"${flag}":`).length, 'new and edit').toBe(3)
  })

  it('is shown to people and to programs', () => {
    expect(json(cwd, 'show', having)[field]).toBe(held)
    expect(ok(cwd, ['show', having])).toContain(shown)
    expect(ok(cwd, ['list', '--fields', `${field},title`]).split('\n')).toContain(
      `${isLong(field) ? shown.replace(/\s/g, ' ') : typeof held === 'number' && kindOf(field) !== 'moment' ? held : shown}\tHaving`,
    )
    expect(ok(cwd, ['board', '--html'])).toContain(kindOf(field) === 'moment' ? `datetime="${shown}"` : shown)
  })

  it('is asked for by a query, and sorted by unless it is long', () => {
    const found = (query: string) => ok(cwd, ['list', '--query', query, '--quiet']).trim().split('\n')
    const isPoint = kindOf(field) === 'moment' || kindOf(field) === 'span'
    expect(found(`${flag}${isPoint ? '=' : ':'}${JSON.stringify(given).replaceAll('\\n', '\n')}`)).toEqual([having])
    expect(found(`${flag}:none`)).toEqual([lacking])
    const sorted = tissue(cwd, ['list', '--sort', flag, '--quiet'])
    if (isLong(field)) expect(sorted.code).toBe(2)
    else expect(sorted.stdout.trim().split('\n')).toEqual([having, after, lacking])
  })

  it('goes through CSV and comes back', () => {
    const csv = ok(cwd, ['export', '--format', 'csv'])
    expect(csv.split('\n')[0]?.split(',')).toContain(columnOf(field))
    const other = tempFolder('fields')
    ok(other, ['import', '-'], csv)
    const brought = ['title:Having', 'title:After', 'title:Lacking'].map((query) => {
      return json(other, 'list', '--query', query)[0]?.[field] ?? null
    })
    expect(brought.map((value) => value === null)).toEqual([false, false, true])
    expect(brought[0]).toBe(held)
  })

  it('is written by acts of a batch and by plans', () => {
    const copy = tempFolder('fields')
    cpSync(join(cwd, '.tissue'), join(copy, '.tissue'), { recursive: true })
    const acts = [
      { verb: 'new', name: 'a', title: 'A', [flag]: given },
      { verb: 'edit', id: lacking, [flag]: given },
      { verb: 'edit', id: having, [flag]: 'none' },
    ]
    ok(copy, ['batch', '-'], acts.map((act) => JSON.stringify(act)).join('\n'))
    expect(json(copy, 'list', '--query', 'title:A')[0][field] ?? null).toBe(held)
    expect(json(copy, 'show', lacking)[field]).toBe(held)
    expect(json(copy, 'show', having)[field] ?? null).toBeNull()
    ok(copy, ['new', '--plan', '-'], JSON.stringify({ issues: [{ name: 'p', title: 'Planned', [flag]: given }] }))
    expect(json(copy, 'list', '--query', 'title:Planned')[0][field]).toBe(held)
  })

  it('is told by the history in the words of people', () => {
    const copy = tempFolder('fields')
    cpSync(join(cwd, '.tissue'), join(copy, '.tissue'), { recursive: true })
    ok(copy, ['edit', lacking, `--${flag}`, given])
    ok(copy, ['edit', lacking, `--${flag}`, 'none'])
    const [first = ''] = shown.split('\n')
    expect(ok(copy, ['history', lacking])).toMatch(new RegExp(`edited ${flag} ${first}.*\n.*edited ${flag} none\n`))
  })

  it('is settled by its flag where two clones disagree', () => {
    const [mine, theirs] = [tempFolder('fields'), tempFolder('fields')]
    for (const copy of [mine, theirs]) cpSync(join(cwd, '.tissue'), join(copy, '.tissue'), { recursive: true })
    ok(mine, ['edit', lacking, `--${flag}`, given])
    ok(theirs, ['edit', lacking, `--${flag}`, sample.later])
    ok(mine, ['import', '-'], ok(theirs, ['export', '--all']))
    const [conflict] = json(mine, 'list', '--conflicts')
    expect(conflict.field).toBe(field)
    expect(conflict.settle).toContain(`--${flag} ${fieldFlags[flag].value}`)
  })

  it('is in the page of the format', () => {
    const page = readFileSync(fileURLToPath(new URL('../../../docs/formats/issue.md', import.meta.url)), 'utf8')
    for (const event of ['created', 'edited']) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${event}\` `))
      expect(row, `add it to the row of ${event} in docs/formats/issue.md`).toContain(`\`${field}\``)
    }
  })
})
