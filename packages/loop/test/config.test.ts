import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { configSchema } from '../src/config/config-schema.ts'
import { parseConfig } from '../src/config/read-config.ts'

describe('loop.json', () => {
  it('fills in what is left out', () => {
    expect(parseConfig('{}', 'loop.json')).toMatchObject({ v: 1, review: false, strategy: 'rebase', push: false })
  })

  it.each([
    ['{"verfy": "x"}', 'verfy'],
    ['{"limits": {"time": "soon"}}', 'limits.time'],
    ['{"guard": {"rules": {"a": "never"}}}', 'guard.rules.a'],
    ['[', 'expected JSON'],
  ])('says what is wrong with %s', (text, said) => {
    expect(() => parseConfig(text, 'loop.json')).toThrow(said)
  })
})

/** The paths of all fields of a schema; below an open record or a list there are none. */
function fieldsOf(schema: z.core.JSONSchema.JSONSchema, before = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === 'boolean') return []
    return field.properties === undefined ? [`${before}${name}`] : fieldsOf(field, `${before}${name}.`)
  })
}

it('the guide explains every field of loop.json, in the order of the schema', () => {
  const page = readFileSync(new URL('../../../docs/loop.md', import.meta.url), 'utf8')
  const [, section = ''] = /\n## Settings\n([\s\S]*?)\n## /.exec(page) ?? []
  const explained = [...section.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, name]) => name)
  expect(explained).toEqual(fieldsOf(z.toJSONSchema(configSchema, { io: 'input' })))
})
