import { Failure } from '@switchyard/ground/failure'

const lf = 10

/**
 * Puts lines together from chunks of stdin as they come. Fails as bad input on a line above `bytesMax`, after the lines
 * before it.
 */
export class Framer {
  readonly #bytesMax: number
  #parts: Buffer[] = []
  #bytes = 0
  #number = 1

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** The lines that this chunk completes, without their LF: all in one group, so that they are handled together. */
  *push(chunk: Buffer): Generator<Buffer[]> {
    const batch: Buffer[] = []
    let start = 0
    let end = chunk.indexOf(lf)
    while (end >= 0 && this.#bytes + end - start <= this.#bytesMax) {
      batch.push(Buffer.concat([...this.#parts, chunk.subarray(start, end)]))
      this.#parts = []
      this.#bytes = 0
      this.#number++
      start = end + 1
      end = chunk.indexOf(lf, start)
    }
    if (batch.length > 0) yield batch
    this.#bytes += (end < 0 ? chunk.length : end) - start
    if (this.#bytes > this.#bytesMax) throw tooLong(this.#bytesMax, this.#number)
    if (start < chunk.length) this.#parts.push(chunk.subarray(start))
  }

  /** What stands behind the last LF, which counts as a line when it is not empty. */
  *end(): Generator<Buffer[]> {
    if (this.#parts.length > 0) yield [Buffer.concat(this.#parts)]
  }
}

function tooLong(bytesMax: number, number: number): Failure {
  return new Failure('usage', `expected lines of at most ${bytesMax} bytes on stdin, got more in line ${number}`)
}
