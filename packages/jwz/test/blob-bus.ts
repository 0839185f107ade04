import { createHash } from 'node:crypto'
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { locateStore } from '@switchyard/topic'
import { putBlob } from '@switchyard/topic/blob-file'
import { freshBus } from './bus.ts'

export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
export const hello = sha256('hello\n')

/** A fresh bus and what tests of files ask of it. */
export function blobBus() {
  const bus = freshBus()
  const blob = (hash: string) => join(bus.cwd, '.jwz/blobs', hash.slice(0, 2), hash)
  const store = locateStore({ cwd: bus.cwd, env: {}, name: '.jwz', variable: 'JWZ_STORE' })
  /** Keeps bytes that no message names; their hash. */
  const put = (bytes: string) => putBlob(store, [Buffer.from(bytes)], Date.now()).sha256
  /** The id of a message with a file `f` of these bytes. */
  const attach = (bytes: string | Uint8Array) => {
    writeFileSync(join(bus.cwd, 'f'), bytes)
    return bus.post('t', 'see', '--attach', 'f')
  }
  /** As if everything of the store's blobs had been written so many hours ago. */
  const age = (hours: number) => {
    const then = Date.now() / 1000 - hours * 3600
    for (const file of files()) utimesSync(join(bus.cwd, '.jwz/blobs', file), then, then)
  }
  /** Files below `blobs`. */
  const files = () =>
    existsSync(join(bus.cwd, '.jwz/blobs'))
      ? readdirSync(join(bus.cwd, '.jwz/blobs'), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(join(bus.cwd, '.jwz/blobs').length + 1))
      : []
  return { ...bus, blob, put, attach, age, files }
}
