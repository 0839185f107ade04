import { createHash } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshBus } from './bus.ts'

it('a file that only its owner may read is a blob that only they may read', () => {
  const { jwz, cwd } = freshBus()
  const modeOf = (text: string) => {
    const hash = createHash('sha256').update(text).digest('hex')
    return statSync(join(cwd, '.jwz/blobs', hash.slice(0, 2), hash)).mode & 0o777
  }
  writeFileSync(join(cwd, 'private'), 'mine', { mode: 0o600 })
  writeFileSync(join(cwd, 'public'), 'for all', { mode: 0o644 })
  jwz(['post', 't', '-m', 'see', '--attach', 'private'])
  jwz(['post', 't', '-m', 'see', '--attach', 'public'])
  expect([modeOf('mine'), modeOf('for all')]).toEqual([0o600, 0o644])
  jwz(['post', 't', '-m', 'see', '--attach', 'public'])
  jwz(['post', 't', '-m', 'see', '--attach', 'private'])
  expect([modeOf('mine'), modeOf('for all')]).toEqual([0o600, 0o644])
})
