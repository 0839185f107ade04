import { closeSync, fstatSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import type { Draft, Store } from '@switchyard/topic'
import { putBlob } from '@switchyard/topic/blob-file'
import { openSource, piecesOfSource } from '../store/source-file.ts'

type Files = { attachments: NonNullable<Draft['attachments']> }
type Attaching = Pick<Context, 'cwd' | 'now'> & { flags: { attach: readonly string[] } }

/** Far less than `compact` leaves alone: a file that was kept so long before its message may be gone already. */
const ageMsMax = 10 * 60_000

/**
 * Keeps the files that `--attach` names, then calls `post`. All are opened first, so that one that cannot be read leaves
 * nothing behind. Where the process stood still in between they are kept once more, in case `compact` came by.
 */
export async function postWithFiles<T>(call: Attaching, store: Store, post: (files: Files) => Promise<T>): Promise<T> {
  const begun = call.now()
  const files = keepFiles(call, store)
  const posted = await post(files)
  if (call.now() - begun > ageMsMax && !isSame(files, keepFiles(call, store))) {
    throw new Failure('failed', 'the message was posted, but its files have changed since and may be lost', {
      hint: 'see jwz doctor, and post it again',
    })
  }
  return posted
}

function keepFiles({ cwd, flags, now }: Attaching, store: Store): Files {
  const opened: { path: string; descriptor: number }[] = []
  try {
    for (const file of flags.attach) {
      const path = resolve(cwd, requireFile(file))
      opened.push({ path, descriptor: openSource(path) })
    }
    return {
      attachments: opened.map(({ path, descriptor }) => ({
        name: basename(path),
        ...putBlob(store, piecesOfSource(path, descriptor), now(), fstatSync(descriptor).mode),
      })),
    }
  } finally {
    for (const { descriptor } of opened) closeSync(descriptor)
  }
}

function requireFile(file: string): string {
  if (file !== '' && file !== '-') return file
  throw new Failure('usage', `--attach takes a file with a name; got ${JSON.stringify(file)}`, {
    hint: file === '-' ? 'write stdin to a file first' : 'name one',
  })
}

function isSame(before: Files, after: Files): boolean {
  return before.attachments.every(({ sha256 }, place) => after.attachments[place]?.sha256 === sha256)
}
