import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'

const nan = 'if (x === NaN) f()\n'
const mended = 'if (Number.isNaN(x)) f()\n'

function deepscan(cwd: string, args: readonly string[], input = '') {
  const { code, stdout, stderr } = run('deepscan', args, { cwd, input })
  return { code, stdout, stderr }
}

test('fix --all mends every finding of a run that has a safe rewrite, and says why the others were left', () => {
  const files = {
    'a.ts': `${nan}${nan}function g() { ${nan.trim()} }\neval(text)\n`,
    'b.py': 'try:\n    f()\nexcept:\n    pass\n',
    'c.ts': nan,
  }
  const root = tempRepo(files)
  const findings = deepscan(root, ['run', '--jsonl']).stdout
  expect(deepscan(root, ['fix', '--all', '--dry-run', '-q'], findings)).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(files['a.ts'])
  expect(deepscan(root, ['fix', '--all'], findings)).toEqual({
    code: 0,
    stdout: `${[1, 2, 3].map((line) => `fixed js/nan-comparison a.ts:${line}\n`).join('')}fixed js/nan-comparison c.ts:1\n`,
    stderr:
      '4 of 6 findings mended\n' +
      'left 1: js/dynamic-eval has no safe rewrite for a.ts:4\n' +
      'left 1: the rewrite of py/bare-except for b.py:3 is an offer: it cannot be told whether the clause cleans up at Ctrl-C, or when an asynchronous task is cancelled\n',
  })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(
    `${mended}${mended}function g() { ${mended.trim()} }\neval(text)\n`,
  )
  expect(readFileSync(join(root, 'b.py'), 'utf8')).toBe(files['b.py'])
  expect(deepscan(root, ['fix', '--all', '-q'], findings)).toMatchObject({ code: 1, stdout: '' })
  expect(deepscan(root, ['fix', '--all', '--offers'], findings).stdout).toBe('fixed py/bare-except b.py:3\n')
  expect(readFileSync(join(root, 'b.py'), 'utf8')).toContain('except Exception:')
})

test('fix --all goes on after a file that it may not write, and takes an array of findings, too', () => {
  const root = tempRepo({ 'a.ts': nan, 'b.ts': `${nan}//\n` })
  const findings = deepscan(root, ['run', '--json']).stdout
  chmodSync(join(root, 'a.ts'), 0o444)
  const { code, stdout, stderr } = deepscan(root, ['fix', '--all', '--json'], findings)
  expect([code, JSON.parse(stdout).fixed.map(({ path }: { path: string }) => path)]).toEqual([0, ['b.ts']])
  expect(stderr).toBe('1 of 2 findings mended\nleft 1: a.ts is read-only\n')
  writeFileSync(join(root, 'b.ts'), '')
  const gone = JSON.stringify(JSON.parse(findings).slice(1))
  expect(deepscan(root, ['fix', '--all'], gone)).toEqual({
    code: 3,
    stdout: '',
    stderr: '0 of 1 findings mended\nleft 1: js/nan-comparison has nothing to mend in b.ts: what it quoted is gone\n',
  })
  expect(deepscan(root, ['fix', '--all'], 'hello\n').code).toBe(2)
  expect(deepscan(root, ['fix', '--all'], '')).toMatchObject({ code: 3, stdout: '' })
})
