import { isUlid } from './ulid.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const values = new Uint8Array(128)
for (const [value, digit] of [...alphabet].entries()) values[digit.charCodeAt(0)] = value

const wordsEach = 4
const slotsAtFirst = 256
/** Small steps and a full table: while it grows there are two. */
const growth = 1.4
const loadMax = 0.85

/**
 * A set of message ids that holds a million ULIDs in a fifth of the memory that a `Set` of texts takes: a topic may have
 * that many, and a reader has to know which it has passed.
 */
export class IdSet {
  readonly #others = new Set<string>()
  readonly #packed = new Uint32Array(wordsEach)
  /** Four words for each ULID, which has 128 bits; all of them 0 are a free slot. */
  #words = new Uint32Array(slotsAtFirst * wordsEach)
  #count = 0

  /** Adds an id; whether it was not there before. */
  add(id: string): boolean {
    if (!isUlid(id) || !this.#pack(id)) {
      const { size } = this.#others
      return this.#others.add(id).size > size
    }
    const slot = slotOf(this.#words, this.#packed)
    if (!isFree(this.#words, slot)) return false
    this.#words.set(this.#packed, slot)
    this.#count += 1
    if (this.#count * wordsEach > this.#words.length * loadMax) this.#words = grown(this.#words)
    return true
  }

  /** Puts the bits of a ULID into `#packed`; false for the one whose bits are all 0. */
  #pack(id: string): boolean {
    const packed = this.#packed
    let word = 0
    let bits = 0
    let kept = 0
    for (let at = 0; at < id.length; at++) {
      const value = values[id.charCodeAt(at)] ?? 0
      // The first digit has three bits.
      const width = at === 0 ? 3 : 5
      const room = 32 - bits
      if (width < room) {
        kept = (kept << width) | value
        bits += width
      } else {
        const rest = width - room
        packed[word] = (kept << room) | (value >>> rest)
        word += 1
        kept = value & ((1 << rest) - 1)
        bits = rest
      }
    }
    return !isFree(packed, 0)
  }
}

function hashOf(packed: Uint32Array): number {
  let hash = 0
  for (const word of packed) {
    hash = Math.imul(hash ^ word, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash >>> 0
}

/** Where these words are in a table, or the free slot that is for them. */
function slotOf(words: Uint32Array, packed: Uint32Array): number {
  let at = (hashOf(packed) % (words.length / wordsEach)) * wordsEach
  while (!isFree(words, at) && !holds(words, at, packed)) at = (at + wordsEach) % words.length
  return at
}

function isFree(words: Uint32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0 && words[at + 3] === 0
}

function holds(words: Uint32Array, at: number, packed: Uint32Array): boolean {
  for (let place = 0; place < wordsEach; place++) if (words[at + place] !== packed[place]) return false
  return true
}

function grown(words: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.ceil((words.length / wordsEach) * growth) * wordsEach)
  const packed = new Uint32Array(wordsEach)
  for (let at = 0; at < words.length; at += wordsEach) {
    if (isFree(words, at)) continue
    for (let place = 0; place < wordsEach; place++) packed[place] = words[at + place] ?? 0
    larger.set(packed, slotOf(larger, packed))
  }
  return larger
}
