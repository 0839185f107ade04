import { readMessages, type Store } from '@switchyard/topic'
import { blobFault } from './blob-fault.ts'

/** What is wrong with the files that messages of a topic keep beside it, long bodies and attachments, by message. */
export function fileFaults(store: Store, topic: string): { id: string; reason: string }[] {
  const faults: { id: string; reason: string }[] = []
  for (const { message } of readMessages(store, topic)) {
    const { id, blob, attachments = [] } = message
    const body = blob && blobFault(store, blob)
    if (body !== undefined) faults.push({ id, reason: body })
    for (const { name, ...ref } of attachments) {
      const fault = blobFault(store, ref)
      if (fault !== undefined) faults.push({ id, reason: `${fault} (attachment ${JSON.stringify(name)})` })
    }
  }
  return faults
}
