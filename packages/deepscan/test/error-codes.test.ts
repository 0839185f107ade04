import { expect, test } from 'vitest'
import { errorTable } from '../src/errors/codes.ts'
import { errorCodeOf, fail } from '../src/errors/fail.ts'

test('there are the 31 codes of the original, and the places of a message are filled', () => {
  expect(Object.keys(errorTable).length).toBe(31)
  const failure = fail('DS-301', { path: 'a b' })
  expect([failure.message, failure.exitCode, errorCodeOf(failure)]).toEqual(['no file or folder at a b', 3, 'DS-301'])
  expect(fail('DS-004').message).toContain('<min>')
})
