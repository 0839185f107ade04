import { scaled } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { landedIds, leftovers, ok, place, read } from './place.ts'

it('eight workers land each issue once, in one run', () => {
  const at = place()
  const titles = Array.from({ length: scaled(50) }, (_, index) => `issue ${index}`)
  const ids = titles.map((title) => at.issue(title))
  const agent = at.agent('x', `echo "$LOOP_ISSUE" >> ${at.agents}/worked; echo "$title" >> "$title.txt"`)
  const finished = ok(at.loop('run', '--issues', '-j', '8', '--with', agent, '--verify', 'true', '--quiet'))
  expect(finished.stdout.trim().split('\n').sort()).toEqual([...ids].sort())
  expect(read(at.agents, 'worked').trim().split('\n').sort()).toEqual([...ids].sort())
  expect(landedIds(at.root).sort()).toEqual([...ids].sort())
  for (const title of titles) expect(read(at.root, `${title}.txt`)).toBe(`${title}\n`)
  expect(leftovers(at.root)).toEqual([])
})
