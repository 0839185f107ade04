// Both directions between one store and one stream, over any number of connections.
import { isFailure } from '@switchyard/ground/failure'
import { listTopics, readBlob, type Store, topicPath } from '@switchyard/topic'
import { type Foreign, openImport } from '@switchyard/topic/import'
import { publishBlob } from './blob-parts.ts'
import { writeConsumer } from './consumer-file.ts'
import type { RelayEvent } from './event-schema.ts'
import { recordsOf } from './inbox.ts'
import type { Received, Remote } from './nats.ts'
import { type Outbox, openOutbox } from './outbox.ts'
import { readState, statePath, type TopicState, writeState } from './state-schema.ts'
import { messageIdOf, subjectOf } from './subject.ts'
import { blobsOf, encodeWire, type Wire } from './wire-schema.ts'

/** Topics that are published side by side. */
const topicsAtOnce = 8

/** What an event says beside its time. */
type News = RelayEvent extends infer Event ? (Event extends RelayEvent ? Omit<Event, 'at'> : never) : never

export type MirrorOptions = {
  store: Store
  stream: string
  isMeant: (topic: string) => boolean
  /** Milliseconds since 1970. */
  now: () => number
  tell: (event: RelayEvent) => void
  note: (text: string) => void
}

/** A record on its way; `id` is what the server tells repetitions by. */
type Publication = { wire: Wire; subject: string; text: string; id: string }

type Box = { outbox: Outbox; take: ReturnType<typeof openImport> }

/** The two sides and how far each has come; `save` keeps that on the disk. */
export class Mirror {
  readonly #options: MirrorOptions
  readonly #path: string
  readonly #boxes = new Map<string, Box>()
  /** State of topics that this run has not come to. */
  #earlier: Record<string, TopicState> = {}
  #created: string | undefined
  #seq = 0
  #saved = ''
  readonly counts = { sent: 0, received: 0, skipped: 0 }

  constructor(options: MirrorOptions) {
    this.#options = options
    this.#path = statePath(options.store, options.stream)
    const state = readState(this.#path, options.note)
    this.#created = state?.created
    this.#seq = state?.seq ?? 0
    this.#earlier = state?.topics ?? {}
  }

  /** Up to which number of the stream all is in the store. */
  get seq(): number {
    return this.#seq
  }

  /**
   * Makes sure that what is remembered is about this stream. One that was made anew may lack what others have not seen
   * yet, so that everything is offered to it again.
   */
  adopt({ created, firstSeq }: Remote): void {
    if (created !== this.#created) {
      if (this.#created !== undefined) this.#options.note('the stream was made anew: everything is compared again')
      this.#created = created
      this.#seq = 0
      this.#earlier = {}
      this.#boxes.clear()
    }
    if (firstSeq > this.#seq + 1) this.#tell({ event: 'missed', from: this.#seq + 1, to: firstSeq - 1 })
  }

  /** Puts what came into the store; on its disk when this returns, and not to be published again. */
  async receive(messages: readonly Received[], remote: Remote): Promise<void> {
    const { store, isMeant, now } = this.#options
    const onSkipped = (topic: string, reason: string) => this.#skip(topic, reason)
    const byTopic = await recordsOf(messages, { store, remote, isMeant, now: now(), onSkipped })
    for (const [topic, records] of byTopic) {
      const { outbox, take } = this.#boxOf(topic)
      const arrived = outbox.arrive(records.map(({ id }) => id))
      const added = await this.#import(topic, records, take)
      arrived()
      if (added.length > 0) this.#tell({ event: 'received', topic, ids: added })
      this.counts.received += added.length
    }
    this.#seq = messages.at(-1)?.seq ?? this.#seq
  }

  /** Publishes what the stream does not have, to the end of each of the topics; of every one if none are named. */
  async send(remote: Remote, named?: readonly string[]): Promise<void> {
    const topics = (named ?? listTopics(this.#options.store)).filter(this.#options.isMeant).values()
    const work = async () => {
      for (const topic of topics) await this.#sendTopic(topic, remote)
    }
    await Promise.all(Array.from({ length: topicsAtOnce }, work))
  }

  /** Writes down how far both sides have come, if that has changed. */
  save(): void {
    if (this.#created === undefined) return
    const topics = { ...this.#earlier }
    for (const [topic, { outbox }] of this.#boxes) topics[topic] = outbox.state()
    const state = { v: 1 as const, created: this.#created, seq: this.#seq, topics }
    const text = JSON.stringify(state)
    if (text === this.#saved) return
    writeState(this.#path, state)
    this.#saved = text
  }

  /** Adds the records that the topic lacks and can have, and returns their ids. */
  async #import(topic: string, records: readonly Foreign[], take: Box['take']): Promise<string[]> {
    try {
      const { added, differing } = await take(records, this.#options.now())
      for (const id of differing) this.#skip(topic, `${id} is here with other content`)
      return added
    } catch (error) {
      if (!isFailure(error) || error.kind !== 'usage') throw error
      // One of them cannot be a line of a log: its own fields are too long.
      if (records.length > 1) return await this.#importEach(topic, records, take)
      return this.#skip(topic, error.message)
    }
  }

  async #importEach(topic: string, records: readonly Foreign[], take: Box['take']): Promise<string[]> {
    const added: string[] = []
    for (const record of records) added.push(...(await this.#import(topic, [record], take)))
    return added
  }

  async #sendTopic(topic: string, remote: Remote): Promise<void> {
    const { outbox } = this.#boxOf(topic)
    for (;;) {
      const wires = outbox.next()
      if (outbox.isAtEnd()) return await this.#sayPublished(topic, outbox)
      const publications: Publication[] = []
      for (const wire of wires) publications.push(...(await this.#prepare(topic, wire, remote)))
      // In the order of the log: what is published first is stored first.
      await Promise.all(publications.map(({ subject, text, id }) => remote.publish(subject, text, id)))
      outbox.settle()
      const ids = publications.map(({ wire }) => wire.id)
      if (ids.length > 0) this.#tell({ event: 'sent', topic, ids })
      this.counts.sent += ids.length
    }
  }

  async #sayPublished(topic: string, outbox: Outbox): Promise<void> {
    const { store, stream, now } = this.#options
    const news = outbox.news()
    if (news) await writeConsumer(store, stream, topic, news, now())
  }

  /** What is to be published of a record, its blobs in the stream; nothing of one that cannot be published. */
  async #prepare(topic: string, wire: Wire, remote: Remote): Promise<Publication[]> {
    const subject = subjectOf(remote.stream, topic)
    const text = encodeWire(wire)
    if (subject === undefined) return this.#skip(topic, 'its topic has too long a name')
    if (text === undefined) return this.#skip(topic, `${wire.id} is too long`)
    for (const blob of blobsOf(wire)) {
      const content = readBlob(this.#options.store, blob)
      if (!content) return this.#skip(topic, `${wire.id} names blob ${blob.sha256}, which is not in the store`)
      await publishBlob(remote, blob, content)
    }
    return [{ wire, subject, text, id: messageIdOf(subject, wire.id) }]
  }

  #boxOf(topic: string): Box {
    const { store, now } = this.#options
    const known = this.#boxes.get(topic)
    if (known) return known
    const from = this.#earlier[topic] ?? { files: [], arrived: [] }
    const box = { outbox: openOutbox(topicPath(store, topic), topic, from, now), take: openImport(store, topic) }
    this.#boxes.set(topic, box)
    return box
  }

  #skip(topic: string, reason: string): never[] {
    this.counts.skipped += 1
    this.#tell({ event: 'skipped', topic, reason })
    return []
  }

  #tell(news: News): void {
    this.#options.tell({ ...news, at: this.#options.now() })
  }
}
