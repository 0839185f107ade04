import { tempRepo } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { recordsIn } from './fixture.ts'
import { json, tissue } from './tissue.ts'

it('claim --next takes what is meant for the one who asks, or for nobody', () => {
  const root = tempRepo()
  const [his = '', free = ''] = [
    ['new', 'His', '-p', '1', '--assignee', 'bob'],
    ['new', 'Free', '-p', '5'],
  ].map((args) => tissue(root, args).stdout.trim())
  expect(tissue(root, ['claim', '--next', '-q'])).toEqual({ code: 0, stdout: `${free}\n`, stderr: '' })
  expect(tissue(root, ['claim', '--next']).code).toBe(3)
  expect(tissue(root, ['ready', '--mine', '-q']).stdout).toBe('')
  tissue(root, ['release', free])
  expect(tissue(root, ['ready', '--mine', '-q']).stdout).toBe(`${free}\n`)
  expect(tissue(root, ['claim', '--next', '-q', '--as', 'bob']).stdout).toBe(`${his}\n`)
})

it('release writes several releases as one line, all or none', () => {
  const root = tempRepo()
  const ids = ['A', 'B'].map((title) => tissue(root, ['new', title]).stdout.trim())
  for (const id of ids) tissue(root, ['claim', id])
  const before = recordsIn(root).length
  expect(tissue(root, ['release', ...ids, ids[0] ?? '']).stdout).toBe(`${ids.join('\n')}\n`)
  expect(recordsIn(root).slice(before)).toMatchObject([{ type: 'batch' }])
  expect(json(root, 'list').map(({ claim }: { claim: unknown }) => claim)).toEqual([null, null])
})
