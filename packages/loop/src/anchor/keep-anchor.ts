import { isDeepStrictEqual } from 'node:util'
import { busExists, postMessage, readMessagesBackwards, type Store } from '@switchyard/topic'
import { type Anchor, anchorSchema } from './anchor-schema.ts'
import { renderAnchor } from './render-anchor.ts'

const anchorTopic = 'loop:anchor'
/** Anchors that are looked through for those of one run. */
const lookedMax = 1000

/** The newest anchor of a run, or of any. */
export function readAnchor(store: Store, run?: string): Anchor | undefined {
  if (!busExists(store)) return undefined
  let looked = 0
  for (const { message } of readMessagesBackwards(store, anchorTopic)) {
    const { success, data } = anchorSchema.safeParse(message.data)
    if (success && (run === undefined || data.run === run)) return data
    looked += 1
    if (looked >= lookedMax) break
  }
  return undefined
}

/** Posts an anchor. One that says what the last of its run says is not posted: a host may ask before each call. */
export async function keepAnchor(store: Store, anchor: Anchor, from: string, now: number): Promise<void> {
  if (isDeepStrictEqual(readAnchor(store, anchor.run), anchor)) return
  await postMessage(store, { topic: anchorTopic, from, body: renderAnchor(anchor), data: anchor }, now)
}
