import { Failure } from '@switchyard/ground/failure'
import type { Message, Store } from '@switchyard/topic'
import { findBlobFault } from '@switchyard/topic/blob-file'

type Attachment = NonNullable<Message['attachments']>[number]

/**
 * The one file of a message that has this name, or a SHA-256 that begins so. Fails as not found, as ambiguous, and as
 * corrupt when the store has not the bytes that were attached.
 */
export function findAttachment(store: Store, { id, attachments = [] }: Message, name: string): Attachment {
  const isMeant = (file: Attachment) =>
    file.name === name || (isHash(name) && file.sha256.startsWith(name.toLowerCase()))
  const [found, ...more] = attachments.filter(isMeant)
  if (found === undefined) {
    const names = attachments.map((file) => JSON.stringify(file.name)).join(', ')
    throw new Failure('notFound', `${id} has no file ${JSON.stringify(name)}`, {
      hint: names === '' ? 'nothing is attached to it' : `it has ${names}`,
    })
  }
  if (more.some(({ sha256 }) => sha256 !== found.sha256)) {
    const hashes = [found, ...more].map(({ sha256 }) => sha256).join(' ')
    throw new Failure('ambiguous', `${JSON.stringify(name)} names ${more.length + 1} files of ${id}: ${hashes}`, {
      hint: 'give the beginning of a hash instead',
    })
  }
  const fault = findBlobFault(store, { sha256: found.sha256 })
  if (fault === undefined) return found
  throw new Failure('corrupt', `the file ${JSON.stringify(found.name)} of ${id} is not whole: ${fault}`, {
    hint: 'attach it again, or jwz import it from another clone’s export',
  })
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{6,64}$/i.test(name)
}
