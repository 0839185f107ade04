import { existsSync } from 'node:fs'
import { isFailure } from '@switchyard/ground/failure'
import { run, scaled, tempFolder } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importFormats } from '../src/import/format.ts'
import { readImport } from '../src/import/read.ts'
import { foldSource } from '../src/migrate/fold.ts'
import { readSource } from '../src/migrate/source.ts'
import { logOf } from './fixture.ts'
import { beads, csv, github, linesOf, markdown } from './foreign.ts'
import { original } from './original.ts'

const samples = [linesOf(beads), JSON.stringify(github), markdown, csv, linesOf(original)]
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('', '__proto__', 'constructor', -1, 1e308, 2 ** 53, null, [null], { login: 1 }, '\ud800'),
)

/** A file with a field of one of its records changed, or with some of its bytes. */
const damaged = fc.oneof(
  fc.tuple(fc.constantFrom(...beads, ...original), fc.string(), value).map(([record, name, replacement]) => {
    const names = Object.keys(record)
    return Buffer.from(linesOf([{ ...record, [names[name.length % names.length] ?? name]: replacement }, record]))
  }),
  fc.tuple(fc.constantFrom(...github), fc.nat(), value).map(([record, at, replacement]) => {
    const names = Object.keys(record)
    return Buffer.from(JSON.stringify([{ ...record, [names[at % names.length] ?? '']: replacement }]))
  }),
  fc.tuple(fc.constantFrom(...samples), fc.nat(), fc.uint8Array({ maxLength: 8 })).map(([text, at, bytes]) => {
    const buffer = Buffer.from(text)
    const place = at % buffer.length
    return Buffer.concat([buffer.subarray(0, place), bytes, buffer.subarray(place + (at % 7))])
  }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.constantFrom('- [ ] ', '\t', '"', ',', '\n', '#', '```', '\\', '<!-- a-1 -->', '{"', '[', ';', 'title'))
    .map((parts) => Buffer.from(parts.join(''))),
)

function callWith(bytes: Buffer) {
  const refused = (): never => {
    throw new Error('bug: not asked for')
  }
  const input = {
    isTerminal: false,
    readAll: () => bytes,
    chunks: () => [bytes],
    lines: refused,
    lineBatches: refused,
    linesAsync: refused,
  }
  return { cwd: '/', input }
}

/** What a Failure says, or nothing; anything else that is thrown fails the test. */
function outcomeOf(act: () => void): 'taken' | 'refused' {
  try {
    act()
    return 'taken'
  } catch (error) {
    if (!isFailure(error)) throw error
    return 'refused'
  }
}

describe('whatever stands in a file', () => {
  it('is taken or refused by every importer, and never a bug', () => {
    const seen = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(damaged, fc.option(fc.constantFrom(...importFormats), { nil: undefined }), (bytes, from) => {
        seen[outcomeOf(() => readImport('-', from, callWith(bytes)))] += 1
      }),
      { numRuns: scaled(30_000, 30) },
    )
    expect(seen.taken).toBeGreaterThan(100)
    expect(seen.refused).toBeGreaterThan(100)
  })

  it('is taken or reported by migrate, and never a bug', () => {
    fc.assert(
      fc.property(damaged, (bytes) => {
        outcomeOf(() => foldSource(readSource([bytes]).records))
      }),
      { numRuns: scaled(10_000, 30) },
    )
  })

  it('writes nothing when it is refused, through the binary too', () => {
    let root = tempFolder('fuzz')
    for (const input of fc.sample(damaged, scaled(200, 20))) {
      const { code, stdout } = run('tissue', ['import', '-', '--as', 'ada'], { cwd: root, input })
      expect([0, 2, 7], `${code} ${input.toString('latin1')}`).toContain(code)
      if (code === 0) root = tempFolder('fuzz')
      else expect(stdout).toBe('')
      expect(existsSync(logOf(root))).toBe(false)
    }
  })
})
