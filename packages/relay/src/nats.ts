// The one file that knows NATS: a connection to one stream. Whatever goes wrong there is Failure `outside`.
import {
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { AuthorizationError, connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { Failure } from '@switchyard/ground/failure'
import type { Access } from './access.ts'
import { topicSubjects } from './subject.ts'

const connectMs = 10_000
/** How long the server may take to store something; a dead connection is noticed by then. */
const answerMs = 15_000
const pingMs = 10_000
/** Messages that come to us before we ask for more. */
const pulledMax = 500
const batchMax = 256
/** Messages with less between them come together. The server's own count of what is to come is not always right. */
const quietMs = 5
const batchBytesMax = 4 * 1024 * 1024
/** How long the server keeps our place in the stream when we are gone. */
const inactiveMs = 60_000
const streamNotFound = 10_059

/** What was published: its subject, its number in the stream, and its bytes. */
export type Received = { subject: string; seq: number; payload: Uint8Array }

/** One connection to one stream, until it ends. Every call fails as `outside` when the server does not do its part. */
export type Remote = {
  stream: string
  /** When the stream was made: one that was made anew is another. */
  created: string
  /** The number of the oldest message that is still there. */
  firstSeq: number
  payloadBytesMax: number
  /** Returns when the server has stored it. A second one with the same `messageId` soon after is dropped. */
  publish(subject: string, payload: string | Uint8Array, messageId: string): Promise<void>
  /** Topics' messages behind `seq`, as they come: together those that come together. */
  batchesAfter(seq: number): AsyncGenerator<Received[]>
  /** The number of the topics' newest message now; 0 when there is none. */
  lastSeq(): Promise<number>
  subjectsIn(pattern: string): Promise<string[]>
  newest(subject: string): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

/**
 * Connects and makes the stream when there is none. Failure `outside`; not retryable when the server does not want us.
 */
export async function openRemote(access: Access, stream: string): Promise<Remote> {
  const where = access.servers.join(', ')
  const connection = await answered(`a NATS server was expected at ${where}`, () => connectTo(access))
  try {
    return await answered(`JetStream was expected to have stream ${stream}`, () => remoteOf(connection, stream))
  } catch (error) {
    await connection.close()
    throw error
  }
}

function connectTo({ servers, isTls, user, password, token, creds }: Access): Promise<NatsConnection> {
  return connect({
    servers,
    name: 'jwz-relay',
    // One way back only: the relay begins a new connection from what it has on the disk.
    reconnect: false,
    timeout: connectMs,
    pingInterval: pingMs,
    maxPingOut: 2,
    ...(isTls ? { tls: {} } : {}),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { pass: password }),
    ...(token === undefined ? {} : { token }),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(creds) }),
  })
}

async function remoteOf(connection: NatsConnection, stream: string): Promise<Remote> {
  const manager = await jetstreamManager(connection, { timeout: answerMs })
  const client = jetstream(connection, { timeout: answerMs })
  const { config, created, state } = await findOrMakeStream(manager, stream)
  if (!config.subjects?.includes(`${stream}.>`)) {
    throw new Failure('outside', `stream ${stream} was expected to take ${stream}.>, it takes ${config.subjects}`, {
      hint: 'choose another with --stream',
      retryable: false,
    })
  }
  return {
    stream,
    created,
    firstSeq: state.first_seq,
    payloadBytesMax: connection.info?.max_payload ?? 0,
    async publish(subject, payload, messageId) {
      const options = { msgID: messageId, expect: { streamName: stream } }
      await answered(`${subject} was to be published`, () => client.publish(subject, payload, options))
    },
    batchesAfter: (seq) => batchesAfter(connection, stream, seq),
    lastSeq: () =>
      answered(`stream ${stream} was to be looked at`, async () => {
        const message = await manager.streams.getMessage(stream, { last_by_subj: topicSubjects(stream) })
        return message?.seq ?? 0
      }),
    subjectsIn: (pattern) =>
      answered(`the subjects ${pattern} were to be listed`, async () => {
        const info = await manager.streams.info(stream, { subjects_filter: pattern })
        return Object.keys(info.state.subjects ?? {})
      }),
    newest: (subject) =>
      answered(`${subject} was to be read`, async () => {
        const message = await manager.streams.getMessage(stream, { last_by_subj: subject })
        return message?.data
      }),
    close: () => connection.close(),
  }
}

async function findOrMakeStream(manager: JetStreamManager, stream: string) {
  try {
    return await manager.streams.info(stream)
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === streamNotFound)) throw error
    return manager.streams.add({ name: stream, subjects: [`${stream}.>`], allow_direct: true })
  }
}

async function* batchesAfter(connection: NatsConnection, stream: string, seq: number): AsyncGenerator<Received[]> {
  const purpose = `messages of stream ${stream} were expected`
  const messages = await answered(purpose, async () => {
    const consumer = await jetstream(connection, { timeout: answerMs }).consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: seq + 1,
      filter_subjects: topicSubjects(stream),
      inactive_threshold: inactiveMs,
    })
    return consumer.consume({ max_messages: pulledMax })
  })
  const iterator = messages[Symbol.asyncIterator]()
  const ended = connection.closed().then(() => ({ done: true as const, value: undefined }))
  let batch: Received[] = []
  let bytes = 0
  try {
    for (let next = iterator.next(); ; ) {
      const isQuiet = batch.length > 0 && (await Promise.race([next, quiet()])) === 'quiet'
      if (isQuiet || batch.length >= batchMax || bytes >= batchBytesMax) {
        yield batch
        batch = []
        bytes = 0
      }
      const { done, value } = await answered(purpose, () => Promise.race([next, ended]))
      if (done) throw new Failure('outside', `${purpose}, the connection ended`)
      batch.push(receivedOf(value))
      bytes += value.data.length
      next = iterator.next()
    }
  } finally {
    messages.stop()
  }
}

function quiet(): Promise<'quiet'> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('quiet'), quietMs)
  })
}

function receivedOf({ subject, seq, data }: JsMsg): Received {
  return { subject, seq, payload: data }
}

/** Does what `purpose` says; what the client throws becomes Failure `outside`. */
async function answered<T>(purpose: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError || error.name === 'Failure') throw error
    const isRefused = error instanceof AuthorizationError || error.name === 'JetStreamNotEnabled'
    throw new Failure('outside', `${purpose}, it answered: ${error.message}`, {
      cause: error,
      ...(isRefused ? { retryable: false } : {}),
    })
  }
}
