import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

type Message = { subject: string; text: string }

/** Does something with the streams of a server, like other clients. */
async function withStreams<T>(
  url: string,
  act: (streams: {
    client: ReturnType<typeof jetstream>
    manager: Awaited<ReturnType<typeof jetstreamManager>>
  }) => Promise<T>,
): Promise<T> {
  const connection = await connect({ servers: url, reconnect: false })
  try {
    return await act({ client: jetstream(connection), manager: await jetstreamManager(connection) })
  } finally {
    await connection.close()
  }
}

/** Publishes to a stream that is there. */
export function publish(url: string, messages: readonly Message[]): Promise<void> {
  return withStreams(url, async ({ client }) => {
    for (const { subject, text } of messages) await client.publish(subject, text)
  })
}

/** Makes a stream that forgets at once which ids it was given: nothing but the relay keeps repetitions out. */
export function makeForgetfulStream(url: string, stream: string): Promise<unknown> {
  const config = { name: stream, subjects: [`${stream}.>`], duplicate_window: 100_000_000 }
  return withStreams(url, ({ manager }) => manager.streams.add(config))
}

export function deleteStream(url: string, stream: string): Promise<boolean> {
  return withStreams(url, ({ manager }) => manager.streams.delete(stream))
}

/** The messages of a stream under these subjects, oldest first. */
export function messagesIn(url: string, stream: string, subjects: string): Promise<Message[]> {
  return withStreams(url, async ({ manager }) => {
    const found: Message[] = []
    const { state } = await manager.streams.info(stream)
    for (let seq = 1; seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage(stream, { seq })
      if (message?.subject.startsWith(subjects)) found.push({ subject: message.subject, text: message.string() })
    }
    return found
  })
}

/** How many messages a stream has under these subjects. */
export function countIn(url: string, stream: string, subjects: string): Promise<number> {
  return withStreams(url, async ({ manager }) => {
    const { state } = await manager.streams.info(stream, { subjects_filter: subjects })
    return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0)
  })
}
