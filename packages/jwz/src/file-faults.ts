import { findBlobFault, readMessages, type Store } from '@switchyard/topic'

/** What is wrong with the files that messages of a topic keep beside it, by message. */
export async function fileFaults(store: Store, topic: string): Promise<{ id: string; reason: string }[]> {
  const faults: { id: string; reason: string }[] = []
  for (const { message } of readMessages(store, topic)) {
    const reason = message.blob && (await findBlobFault(store, message.blob))
    if (reason !== undefined) faults.push({ id: message.id, reason })
  }
  return faults
}
