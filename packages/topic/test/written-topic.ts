import { appendFileSync, mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { type LineVerdict, markSealed, repeatBytesMax, seal } from '@switchyard/jsonl'
import fc from 'fast-check'

/** What happens to a topic: a line comes (`late`: into the newest sealed segment), or it is sealed, or half sealed. */
export type Step =
  | { act: 'line'; id: string; late: boolean }
  | { act: 'noise'; text: string }
  | { act: 'seal' | 'rename' | 'mark' }

/** What the message of each id is: whether and what it expects, and how long its body is. */
export type Said = Readonly<Record<string, { expect?: string | null; bytes: number }>>

type Written = { text: string; id: string | undefined; expect: string | null | undefined }
type Segment = { path: string; lines: Written[]; markerAt?: number }

/** A message line in the order of the log, with the verdict on it. */
export type Found = { id: string; verdict: LineVerdict; isConditional: boolean }

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const

/** Any interleaving of plain, conditional and repeated lines, noise and seals. */
export function histories(bytes: fc.Arbitrary<number>): fc.Arbitrary<{ said: Said; steps: Step[] }> {
  const id = fc.constantFrom(...ids)
  const late = fc.constantFrom(false, false, false, true)
  const noise = fc.constantFrom('broken', '{"id":"x","type":"ack"}', ' ')
  const step = fc.oneof(
    { arbitrary: fc.record({ act: fc.constant('line' as const), id, late }), weight: 8 },
    { arbitrary: fc.record({ act: fc.constant('noise' as const), text: noise }), weight: 1 },
    { arbitrary: fc.record({ act: fc.constantFrom('seal' as const, 'rename' as const, 'mark' as const) }), weight: 1 },
  )
  const message = fc.record({ expect: fc.option(id), bytes }, { requiredKeys: ['bytes'] })
  const said = fc.record(Object.fromEntries(ids.map((name) => [name, message])))
  return fc.record({ said, steps: fc.array(step, { maxLength: 40 }) })
}

function lineOf(id: string, said: Said): Written {
  const { expect, bytes } = said[id] ?? { bytes: 0 }
  const message = { v: 1, id, at: 1, topic: 't', from: 'x', body: '-'.repeat(bytes), expect }
  return { text: JSON.stringify(message), id, expect }
}

/** A topic on disk, and beside it a list of what was written, which says plainly what readers must find. */
export class WrittenTopic {
  readonly #path: string
  readonly #sealed: Segment[] = []
  #active: Segment

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true })
    this.#path = path
    this.#active = { path, lines: [] }
  }

  async apply(step: Step, said: Said): Promise<void> {
    if (step.act === 'line') this.#write(lineOf(step.id, said), step.late)
    else if (step.act === 'noise') this.#write({ text: step.text, id: undefined, expect: undefined }, false)
    else if (step.act === 'mark') this.mark()
    else if (this.#active.lines.length > 0) await this.#seal(step.act)
  }

  /** Gives every sealed segment its marker. */
  mark(): void {
    markSealed(this.#path)
    for (const segment of this.#sealed) segment.markerAt ??= segment.lines.length
  }

  /** The lines of messages in the order of the log, and the head. */
  read(): { found: Found[]; head: string | null } {
    const recent = new Map<string, number>()
    const found: Found[] = []
    let bytes = 0
    let head: string | null = null
    for (const { line, isJudged, isSettled } of this.#lines()) {
      const { text, id, expect } = line
      const before = recent.get(id ?? '')
      const isRepetition = before !== undefined && bytes - before <= repeatBytesMax
      const isExpected = expect === undefined || expect === head
      if (isJudged && text.trim() !== '') bytes += text.length + 1
      if (id === undefined) continue
      if (isJudged) recent.set(id, bytes)
      if (isJudged && !isRepetition && isExpected) head = id
      const verdict = isJudged ? (isRepetition ? 'repeats' : isExpected ? 'counts' : 'void') : 'void'
      const isConditional = expect !== undefined
      found.push({ id, isConditional, verdict: !isConditional ? 'counts' : isSettled ? verdict : 'unsettled' })
    }
    return { found, head }
  }

  *#lines(): Generator<{ line: Written; isJudged: boolean; isSettled: boolean }> {
    let isSettled = true
    for (const { lines, markerAt, path } of [...this.#sealed, this.#active]) {
      for (const [at, line] of lines.entries())
        yield { line, isSettled, isJudged: isSettled && at < (markerAt ?? lines.length) }
      if (path !== this.#path && markerAt === undefined) isSettled = false
    }
  }

  #write(line: Written, late: boolean): void {
    const segment = (late ? this.#sealed.at(-1) : undefined) ?? this.#active
    segment.lines.push(line)
    appendFileSync(segment.path, `${line.text}\n`)
  }

  async #seal(act: 'seal' | 'rename'): Promise<void> {
    // A sealer marks what others left before it seals.
    if (act === 'seal') this.mark()
    const ulid = `01ARZ3NDEKTSV4RRFFQ69G5F${String(this.#sealed.length).padStart(2, '0')}`
    const path = this.#path.replace(/jsonl$/, `${ulid}.jsonl`)
    const segment: Segment = { path, lines: this.#active.lines }
    if (act === 'seal') {
      await seal(this.#path, ulid)
      segment.markerAt = segment.lines.length
    } else renameSync(this.#path, path)
    this.#sealed.push(segment)
    this.#active = { path: this.#path, lines: [] }
  }
}
