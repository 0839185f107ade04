import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, scaled, tempRepo } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Finding } from '../src/finding/finding.ts'
import { verifyFindings } from '../src/reduce/verify.ts'
import { aFinding } from './findings.ts'

const text = 'const a = 1\r\nfunction send(user) {\r\n  return query("SELECT " + user)\r\n}\r\nsend(1)\r\nsend(1)\r\n'

function verifiedIn(files: Readonly<Record<string, string>>, findings: readonly Finding[]) {
  return verifyFindings(findings, { textOf: (path) => files[path], paths: () => Object.keys(files) })
}

function verdict(finding: Partial<Finding>, files: Readonly<Record<string, string>> = { 'src/a.ts': text }) {
  const [verified] = verifiedIn(files, [aFinding(finding)])
  return [verified?.verification, verified?.path, verified?.line, verified?.column]
}

test('W23: each quote is looked up: at its line, elsewhere in the file, in another file, nowhere', () => {
  const quote = 'query("SELECT " + user)'
  expect(verdict({ quote, line: 3 })).toEqual(['verified', 'src/a.ts', 3, 10])
  expect(verdict({ quote, line: 900 })).toEqual(['moved', 'src/a.ts', 3, 10])
  expect(verdict({ quote: 'send(1)', line: 6 })).toEqual(['verified', 'src/a.ts', 6, 1])
  expect(verdict({ quote: 'function send(user) {\n  return query("SELECT " + user)', line: 2 })).toEqual([
    ...['verified', 'src/a.ts', 2, 1],
  ])
  expect(verdict({ quote, path: 'src/old.ts', line: 3 })).toEqual(['moved', 'src/a.ts', 3, 10])
  expect(verdict({ quote, path: 'src/old.ts' }, { 'a.ts': text, 'b.ts': text })[0]).toBe('ghost')
  expect(verdict({ quote: 'query("DELETE " + user)', line: 3 })[0]).toBe('ghost')
  expect(verdict({ quote: 'send(1)', path: 'src/old.ts' })[0]).toBe('ghost')
  expect(verdict({ quote: '}', line: 4 })[0]).toBe('unverified')
  expect(verdict({ quote: '', line: 999 })[0]).toBe('ghost')
  expect(verdict({ quote, line: 3, verification: 'refuted' })[0]).toBe('refuted')
})

test('no true quote is lost, no fabricated one passes, and a wrong line is put right', () => {
  const word = fc.constantFrom('alpha', 'βeta', '𝒳', 'x.y(z)*', '"[q]"', '\t', '  ', '$1', '\\d+')
  const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
  const lines = fc.array(line, { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), (source, at, wrong) => {
      const index = at % source.length
      const quote = source[index]?.trim() ?? ''
      if (!/[\p{L}\p{N}]/u.test(quote)) return
      const files = { 'src/a.ts': source.join('\n') }
      const [right, moved] = verifiedIn(files, [
        aFinding({ quote, line: index + 1 }),
        aFinding({ quote, line: source.length + 1 + wrong }),
      ])
      const [ghost] = verifiedIn(files, [aFinding({ quote: `${quote} fabricated`, line: index + 1 })])
      expect([right?.verification, right?.line]).toEqual(['verified', index + 1])
      expect(moved?.verification).toBe('moved')
      expect(source[(moved?.line ?? 0) - 1]).toContain(quote)
      expect(ghost?.verification).toBe('ghost')
    }),
    { numRuns: scaled(500) },
  )
})

test('W8: the verb holds findings against the tree: deleted files are ghosts, `data.py` outlives `a.py`', () => {
  const root = tempRepo({
    'a.py': 'x = eval(input())\n',
    'data.py': 'y = eval(input())\n',
    'lib/old.py': 'z = eval(input("what is z"))\n',
  })
  const findings = run('deepscan', ['run', '--jsonl'], { cwd: root }).stdout
  rmSync(join(root, 'a.py'))
  mkdirSync(join(root, 'src'))
  renameSync(join(root, 'lib/old.py'), join(root, 'src/new.py'))
  writeFileSync(join(root, 'data.py'), '# one more line\ny = eval(input())\n')
  const outside = JSON.stringify({ ...aFinding({ path: '../../etc/passwd', quote: 'root' }) })
  const { code, stdout, stderr } = run('deepscan', ['verify', '-'], { cwd: root, input: `${findings}${outside}\n` })
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(/^ghost a\.py:1:5 /),
      expect.stringMatching(/^moved data\.py:2:5 /),
      expect.stringMatching(/^moved src\/new\.py:1:5 /),
      expect.stringMatching(/^ghost \.\.\/\.\.\/etc\/passwd:1:1 /),
      '',
    ],
  ])
  expect(stderr).toBe('2 ghost, 2 moved\n')
})
