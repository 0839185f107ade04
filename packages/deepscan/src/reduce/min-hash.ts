// Finds pairs of sets that are probably alike without comparing all with all.
import { fnv1a } from '@switchyard/ground/fnv1a'

const bands = 16
const rowsInBand = 3

/** Members of a bucket that each is compared with: the sets beside it, in the order they came. */
const neighboursMax = 24

/**
 * Calls `visit` with pairs of indexes of sets that share a band of their signature: of sets alike by 0.7 all but one
 * pair in a thousand come. The same sets in the same order give the same pairs.
 */
export function visitLikelyPairs(sets: readonly (readonly string[])[], visit: (a: number, b: number) => void): void {
  const hashesOf = startHashes()
  const signatures = sets.map((set) => signatureOf(set, hashesOf))
  for (let at = 0; at < bands * rowsInBand; at += rowsInBand) {
    const buckets = new Map<string, number[]>()
    for (const [index, signature] of signatures.entries()) {
      if (signature === undefined) continue
      const key = `${signature[at]} ${signature[at + 1]} ${signature[at + 2]}`
      const bucket = buckets.get(key)
      if (bucket === undefined) buckets.set(key, [index])
      else bucket.push(index)
    }
    for (const bucket of buckets.values()) visitNeighbours(bucket, visit)
  }
}

function visitNeighbours(bucket: readonly number[], visit: (a: number, b: number) => void): void {
  for (const [at, first] of bucket.entries()) {
    const end = Math.min(bucket.length, at + 1 + neighboursMax)
    for (let next = at + 1; next < end; next++) visit(first, bucket[next] ?? first)
  }
}

/** For each of the hashes the least that a member has; nothing for an empty set. */
function signatureOf(set: readonly string[], hashesOf: (member: string) => Uint32Array): Uint32Array | undefined {
  if (set.length === 0) return undefined
  const signature = new Uint32Array(bands * rowsInBand).fill(0xffffffff)
  for (const member of set) {
    const hashes = hashesOf(member)
    for (let index = 0; index < signature.length; index++) {
      const hash = hashes[index] ?? 0
      if (hash < (signature[index] ?? 0)) signature[index] = hash
    }
  }
  return signature
}

/** Hashes of a member, computed once however many sets have it. */
function startHashes(): (member: string) => Uint32Array {
  const known = new Map<string, Uint32Array>()
  return (member) => {
    let hashes = known.get(member)
    if (hashes === undefined) {
      const hash = fnv1a(member)
      hashes = Uint32Array.from({ length: bands * rowsInBand }, (_, index) =>
        mix(hash ^ Math.imul(index + 1, 0x9e3779b1)),
      )
      known.set(member, hashes)
    }
    return hashes
  }
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
