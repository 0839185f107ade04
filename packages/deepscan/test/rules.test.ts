import { expect, test } from 'vitest'
import { applyEdits } from '../src/rule/rewrite.ts'
import { rules } from '../src/rules/all.ts'
import { scanSource } from '../src/scan/scan.ts'
import { loadParser } from '../src/syntax/parser.ts'
import { allCases, languageOfCases } from './cases/all.ts'
import { javascriptCases } from './cases/javascript.ts'
import { scanned } from './scanned.ts'

const parse = await loadParser('python')

function findIn(id: string, text: string) {
  const language = languageOfCases(id)
  return scanned(scanSource(parse, { path: `case.${language}`, language, text }, rules))
}

function rulesFoundIn(id: string, text: string) {
  return findIn(id, text).matches.map(({ finding }) => finding.rule)
}

test('each rule has cases', () => {
  expect(Object.keys(allCases)).toEqual(rules.map(({ id }) => id))
})

test('an id names its family, and no two rules share one', () => {
  const prefixes = { javascript: 'js', python: 'py', go: 'go', bash: 'bash' }
  for (const { id, family } of rules) expect(id).toMatch(new RegExp(`^${prefixes[family]}/[a-z-]+$`))
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
})

for (const [id, { mended = [], reported = [], clean }] of Object.entries(allCases)) {
  for (const [before, after] of mended) {
    test(`${id} mends ${JSON.stringify(before)}`, () => {
      const { matches } = findIn(id, before)
      const isSafe = rules.find((rule) => rule.id === id)?.safety === 'safe'
      const isOffer = isSafe ? undefined : true
      expect(matches.map(({ finding }) => [finding.rule, finding.fixable, finding.offer])).toEqual([
        [id, isSafe, isOffer],
      ])
      expect(applyEdits(before, matches[0]?.edits ?? [])).toBe(after)
      expect(findIn(id, after)).toMatchObject({ matches: [], syntaxErrors: 0, overflowed: [] })
    })
  }

  for (const text of reported) {
    test(`${id} only reports ${JSON.stringify(text)}`, () => {
      expect(findIn(id, text).matches.map(({ finding }) => [finding.rule, finding.fixable])).toEqual([[id, false]])
    })
  }

  for (const text of clean) {
    test(`${id} is silent on ${JSON.stringify(text)}`, () => {
      expect(rulesFoundIn(id, text)).not.toContain(id)
    })
  }
}

test('the rules for JavaScript hold in each of its languages', () => {
  for (const [id, { mended = [] }] of Object.entries(javascriptCases)) {
    for (const [text] of mended) {
      for (const language of ['javascript', 'tsx'] as const) {
        const { matches, syntaxErrors } = scanned(scanSource(parse, { path: 'a', language, text }, rules))
        // Without types there are cases that JavaScript cannot read, or reads as comparisons.
        if (syntaxErrors > 0 || (language === 'javascript' && /<[A-Z]/.test(text))) continue
        expect([language, text, matches.map(({ finding }) => finding.rule)]).toEqual([language, text, [id]])
      }
    }
  }
})
