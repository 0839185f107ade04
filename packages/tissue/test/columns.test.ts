import { cellsOf } from '@switchyard/cli-kit/cells'
import { tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { columnsOf } from '../src/render/columns.ts'
import type { Issue } from '../src/schema/schemas.ts'
import { json, tissue } from './tissue.ts'

it('cuts titles where a row would be longer than the terminal is wide', () => {
  const cwd = tempFolder('columns')
  tissue(cwd, ['new', 'Ask for a key when somebody signs in for the first time on a new machine', '-t', 'auth'])
  tissue(cwd, ['new', '漢字'.repeat(30), '--type', 'bug', '-p', '3'])
  const issues: Issue[] = json(cwd, 'list')
  const linesAt = (cells?: number) => issues.map(columnsOf(issues, Date.now(), cells))
  expect(linesAt(80).map((line) => cellsOf(line) <= 80)).toEqual([true, true])
  expect(linesAt(80)[0]).toMatch(/ Ask for a key when .*… {2}\[auth\]$/)
  expect(linesAt(10)[0]).toContain('Ask for a key when')
  expect(linesAt()[0]).toContain('on a new machine  ')
})
