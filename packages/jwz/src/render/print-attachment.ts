import { resolve } from 'node:path'
import type { Context, Output } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import type { Message, Store } from '@switchyard/topic'
import { piecesOfBlob } from '@switchyard/topic/blob-file'
import { outPath } from '@switchyard/topic/out-file'
import { findAttachment } from '../message/find-attachment.ts'
import { writeTarget } from '../store/target-file.ts'

/** What a terminal would act on; a pipe gets every byte. */
const acting = /[^\P{Cc}\t\n\r]|\p{Bidi_C}/u

type Asked = Pick<Context, 'cwd' | 'now' | 'output'> & {
  readonly flags: { readonly attachment: string | undefined; readonly out: string | undefined }
}

/** What `show --attachment` does: a file's bytes to stdout, or to -o FILE, checked before the first of them is written. */
export function printAttachment({ cwd, now, output, flags }: Asked, store: Store, message: Message): void {
  const { attachment, out } = flags
  if (attachment === undefined)
    throw new Failure('usage', '-o takes --attachment NAME beside it, got none', { hint: 'jwz show lists the files' })
  if (out === undefined && output.mode !== 'text') {
    throw new Failure('usage', `--${output.mode} says what was written to a file, but there is no -o FILE`, {
      hint: 'leave it out to have the bytes on stdout',
    })
  }
  const { sha256 } = findAttachment(store, message, attachment)
  if (out === undefined) {
    print(store, sha256, output)
    return
  }
  outPath(store, cwd, out, '-o')
  const file = resolve(cwd, out)
  const bytes = writeTarget(file, piecesOfBlob(store, sha256), now())
  output.one({ sha256, bytes, file }, { text: () => file, id: () => sha256 })
}

function print(store: Store, sha256: string, output: Output): void {
  if (output.isTerminal && actsOnTerminal(piecesOfBlob(store, sha256))) {
    throw new Failure('usage', `the file ${sha256} is no text for a terminal`, {
      hint: 'write it to a file with -o FILE',
    })
  }
  for (const piece of piecesOfBlob(store, sha256)) output.raw(piece)
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
