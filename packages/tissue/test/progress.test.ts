import { expect, it } from 'vitest'
import { progressOf, renderProgress } from '../src/graph/progress.ts'

it('progress counts the parts that have no parts themselves, each once', () => {
  const parts = ['top mid', 'top a', 'mid b', 'mid c', 'mid a'].map((text) => {
    const [from = '', to = ''] = text.split(' ')
    return { kind: 'parent', from, to } as const
  })
  const progress = progressOf(parts, { isOver: (id) => id === 'b' || id === 'mid', isReady: (id) => id === 'c' })
  expect(progress('top')).toEqual({ done: 1, total: 3, ready: 1 })
  expect(progress('a')).toBeUndefined()
  expect(renderProgress({ done: 1, total: 3, ready: 1 })).toBe('1/3 done 33%, 1 ready')
})
