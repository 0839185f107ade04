import { resolve } from 'node:path'
import { defineVerb, type Output } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { piecesOfBlob } from '@switchyard/topic/blob-file'
import { outPath } from '@switchyard/topic/out-file'
import { findBlob } from '../store/find-blob.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'
import { writeTarget } from '../store/target-file.ts'

/** What a terminal would act on; a pipe gets every byte. */
const acting = /[^\P{Cc}\t\n\r]|\p{Bidi_C}/u

/** `jwz blob get`: the bytes of a blob, checked against its hash before the first of them is written. */
export const blobGet = defineVerb({
  summary: 'Print a file that is kept in the store, or write it to one',
  args: [{ name: 'hash', summary: 'Its SHA-256, or at least 6 characters of its beginning' }],
  flags: {
    out: { type: 'string', short: 'o', value: 'FILE', summary: 'Write it to FILE, whole or not at all' },
    ...storeFlag,
  },
  examples: ['jwz blob get 9f86d081 -o report.pdf', 'jwz blob get 9f86d081 | head'],
  run({ output, ...call }) {
    const target = call.flags.out
    if (target === undefined && output.mode !== 'text') {
      throw new Failure('usage', `--${output.mode} says what was written to a file, but there is no -o FILE`, {
        hint: 'leave it out to have the bytes on stdout',
      })
    }
    const store = openStore(call)
    const sha256 = findBlob(store, call.args.hash)
    if (target === undefined) return print(store, sha256, output)
    outPath(store, call.cwd, target, '-o')
    const file = resolve(call.cwd, target)
    const bytes = writeTarget(file, piecesOfBlob(store, sha256), call.now())
    output.one({ sha256, bytes, file }, { text: () => file, id: () => sha256 })
    return undefined
  },
})

function print(store: Store, sha256: string, output: Output): undefined {
  if (output.isTerminal && actsOnTerminal(piecesOfBlob(store, sha256))) {
    throw new Failure('usage', `the blob ${sha256} is no text for a terminal`, {
      hint: 'write it to a file with -o FILE',
    })
  }
  for (const piece of piecesOfBlob(store, sha256)) output.raw(piece)
  return undefined
}

function actsOnTerminal(pieces: Iterable<Uint8Array>): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (const piece of pieces) if (acting.test(decoder.decode(piece, { stream: true }))) return true
    return acting.test(decoder.decode())
  } catch (error) {
    if (error instanceof TypeError) return true
    throw error
  }
}
