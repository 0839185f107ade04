// What the runners of a run print, kept a file an iteration, for people to look at afterwards.
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '@switchyard/ground/failure'
import { fileWord } from '@switchyard/topic'
import { ownFolder } from './own-folder.ts'

const runsMax = 20
const transcriptBytesMax = 8 * 1024 * 1024

/** One file that is being written; what the disk refuses is left out, and `close` says so. */
type Transcript = { readonly write: (chunk: Uint8Array) => void; readonly close: () => string | undefined }

export type Transcripts = { readonly folder: string; begin(issue: string, iteration: number): Transcript }

/** Makes the folder of a run; those of the oldest runs beyond twenty are removed. */
export function openTranscripts(commonDir: string, run: string): Transcripts {
  const logs = ownFolder(commonDir, 'log')
  const folder = join(logs, run)
  mkdirSync(folder, { recursive: true })
  const old = readdirSync(logs).sort().slice(0, -runsMax)
  for (const name of old) if (name !== run) rmSync(join(logs, name), { recursive: true, force: true })
  return { folder, begin: (issue, iteration) => openTranscript(join(folder, `${fileWord(issue)}-${iteration}.log`)) }
}

/** Open all the while, so that a folder that is removed meanwhile does no harm. */
function openTranscript(path: string): Transcript {
  const file = openSync(path, 'a', 0o600)
  let bytes = 0
  let refusal: string | undefined
  return {
    write(chunk) {
      if (bytes >= transcriptBytesMax || refusal !== undefined) return
      bytes += chunk.length
      const cut = bytes < transcriptBytesMax ? '' : `\n[more than ${transcriptBytesMax} bytes; the rest is left out]\n`
      try {
        writeSync(file, Buffer.concat([chunk, Buffer.from(cut)]))
      } catch (error) {
        refusal = systemCode(error)
        if (refusal === undefined) throw error
      }
    },
    close() {
      closeSync(file)
      return refusal === undefined ? undefined : `what the runner prints is not kept in ${path}: ${refusal}`
    },
  }
}
