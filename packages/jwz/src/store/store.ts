import type { Context } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure } from '@switchyard/ground/failure'
import { locateStore, type Message, type Store, topicExists, withBody } from '@switchyard/topic'

type Opening = Pick<Context, 'cwd' | 'env'> & { flags: { store: string | undefined } }

/** The bus that a call means; it need not exist yet. */
export function openStore({ cwd, env, flags }: Opening): Store {
  return locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE', override: flags.store })
}

/** Gives messages their whole bodies; says of one that is not in the store that only its beginning is shown. */
export function bodiesOf(store: Store, note: (text: string) => void): (message: Message) => Message {
  const say = ({ id }: Message, why?: string) => {
    const where = why === undefined ? ` is not in ${store.path}` : `: ${why}`
    note(`the body of ${id}${where}: only its beginning is shown`)
  }
  return (message) => withBody(store, message, say)
}

/** Says of a message that was there already under its key that it says something else than `body`. */
export function noteOtherBody(store: Store, message: Message, body: string, note: (text: string) => void): void {
  if (withBody(store, message).body !== body)
    note(`${message.id} was posted under the key ${message.key} before, with another body: nothing was posted`)
}

/** Counts lines that are no messages, and says so once. */
export function countSkipped(note: (text: string) => void): { onSkipped: () => void; say: () => void } {
  let skipped = 0
  const onSkipped = () => {
    skipped += 1
  }
  const say = () => {
    if (skipped > 0) note(`skipped ${counted(skipped, 'damaged or unknown line')}; see jwz doctor`)
  }
  return { onSkipped, say }
}

/** Fails as not found when nobody has posted to the topic. */
export function requireTopic(store: Store, topic: string): void {
  if (topicExists(store, topic)) return
  throw new Failure('notFound', `no topic ${topic} in ${store.path}`, {
    hint: 'jwz topic list shows them; a first post makes one',
  })
}
