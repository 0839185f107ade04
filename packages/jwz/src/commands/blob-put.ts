import { closeSync, fstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Call, defineVerb } from '@switchyard/cli-kit'
import { putBlob } from '@switchyard/topic/blob-file'
import { storeFlag } from '../store/flags.ts'
import { openSource, piecesOfSource } from '../store/source-file.ts'
import { openStore } from '../store/store.ts'

const spec = {
  summary: 'Keep a file in the store and print its SHA-256',
  args: [{ name: 'file', summary: 'A file of any size; - is stdin' }],
  flags: storeFlag,
  examples: ['git diff | jwz blob put -'],
} as const

/** `jwz blob put`: keeps a file under its own hash, piece by piece; twice the same is one blob. */
export const blobPut = defineVerb({
  ...spec,
  run(call) {
    const blob = call.args.file === '-' ? put(call, call.input.chunks()) : putFile(call)
    call.output.one(blob, { text: ({ sha256 }) => sha256, id: ({ sha256 }) => sha256 })
    return undefined
  },
})

function putFile(call: Call<typeof spec>) {
  const path = resolve(call.cwd, call.args.file)
  const descriptor = openSource(path)
  try {
    return put(call, piecesOfSource(path, descriptor), fstatSync(descriptor).mode)
  } finally {
    closeSync(descriptor)
  }
}

function put(call: Call<typeof spec>, pieces: Iterable<Uint8Array>, mode?: number) {
  return putBlob(openStore(call), pieces, call.now(), mode)
}
