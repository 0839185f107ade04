// What an agent without a screen prints, kept as it comes. It may print without end, and the disk may be full: neither
// is a reason to end its turn.
import { appendFileSync } from 'node:fs'
import { systemCode } from '@switchyard/ground/failure'

const bytesMax = 32_000_000

/** A way to keep the next piece behind what is there; behind so many bytes one line says that there was more. */
export function outputKeeper(path: string): (chunk: Uint8Array) => void {
  let left = bytesMax
  const append = (piece: Uint8Array | string) => {
    try {
      appendFileSync(path, piece)
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      left = 0
    }
  }
  return (chunk) => {
    if (left <= 0) return
    append(chunk.subarray(0, left))
    left -= chunk.length
    if (left <= 0) append(`\n[what came behind ${bytesMax} bytes is left out]\n`)
  }
}
