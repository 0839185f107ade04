// What a relay remembers of one stream between its runs: `<store>/relay/<stream>.json`, replaced whole.
import { dirname } from 'node:path'
import { fileIn, makeFolder, orRefused, readStored } from '@switchyard/ground/disk'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Cursor } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import * as z from 'zod'

const checkpointSchema = z.object({ offset: z.int().nonnegative(), hash: z.string() })

const cursorSchema = checkpointSchema.extend({ inode: z.int(), checkpoints: z.array(checkpointSchema) })

const stateSchema = z.object({
  v: z.literal(1),
  /** When the stream was made, by which one that was made anew is recognised. */
  created: z.string(),
  /** Up to this number of the stream all is in the store. */
  seq: z.int().nonnegative(),
  /** By topic: up to where each file of its log is in the stream, and which ids behind that came from the stream. */
  topics: z.record(z.string(), z.object({ files: z.array(cursorSchema), arrived: z.array(z.string()) })),
})

/** A topic's part of the state. */
export type TopicState = { files: Cursor[]; arrived: string[] }

/** The whole state; a relay that has none begins with both sides from the start. */
export type RelayState = z.infer<typeof stateSchema>

/** Where the state for a stream lies; also what a relay holds the lock of. */
export function statePath(store: Store, stream: string): string {
  return fileIn(store, `relay/${stream}.json`)
}

/** The state of earlier runs, or undefined. One that is damaged is as good as none: all is compared anew. */
export function readState(path: string, note: (text: string) => void): RelayState | undefined {
  const text = readStored(path)
  if (text === undefined) return undefined
  try {
    return stateSchema.parse(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    note(`${path} is damaged: everything is compared anew`)
    return undefined
  }
}

/** Makes the folder of the state, so that it can be locked. */
export function makeStateFolder(path: string): void {
  orRefused(`${dirname(path)} was to be made`, () => makeFolder(dirname(path)))
}

/** Replaces the state on the disk. Fails as `failed` when the disk refuses. */
export function writeState(path: string, state: RelayState): void {
  orRefused(`${path} was to be written`, () => writeWhole(path, `${path}.draft`, `${JSON.stringify(state)}\n`))
}
