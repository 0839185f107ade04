import type { Stats } from 'node:fs'
import { statAt } from '@switchyard/ground/at-path'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { fstatSync, readSync, writeSync } from '@switchyard/ground/machine'
import type { Input } from './context.ts'
import { Framer } from './framing.ts'

const chunkBytes = 65_536
const pauseMsMax = 50

/**
 * Thrown where the reader of stdout has gone; it unwinds the verb like any failure and ends the process quietly with
 * 0.
 */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

/** Recognises it by its name, as `isFailure` does and for the same reason. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReaderGone'
}

/** True when the descriptor is a terminal. Only what may be one pays for `node:tty`, which loads `node:net`. */
export function isTerminal(fd: number): boolean {
  try {
    const stats = fstatSync(fd)
    return stats.isCharacterDevice() && !isNull(stats) && process.getBuiltinModule('node:tty').isatty(fd)
  } catch (error) {
    if (systemCode(error) === 'EBADF') return false
    throw error
  }
}

/** The null device is of the same kind as a terminal, and where output goes that nobody wants. */
function isNull({ rdev }: Stats): boolean {
  return statAt('/dev/null')?.rdev === rdev
}

/**
 * Writes all bytes, waiting for a slow reader. Throws `ReaderGone` when there is none, `failed` when they cannot be
 * stored.
 */
export function writeAll(fd: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  let written = 0
  let pauseMs = 1
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written)
      pauseMs = 1
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EPIPE' || code === 'ECONNRESET') throw new ReaderGone()
      if (code !== 'EAGAIN')
        throw new Failure('failed', `expected to write to ${streamName(fd)}, got ${code}`, { cause: error })
      pauseMs = pause(pauseMs)
    }
  }
}

/** Standard input without a listener, which would cost a fifth of a start. */
export function openInput(fd: number): Input {
  return {
    get isTerminal() {
      return isTerminal(fd)
    },
    readAll: () => Buffer.concat([...chunksOf(fd)]),
    chunks: () => chunksOf(fd),
    lines: (bytesMax) => flatten(batchesOf(chunksOf(fd), bytesMax)),
    lineBatches: (bytesMax) => batchesOf(chunksOf(fd), bytesMax),
    linesAsync,
  }
}

declare global {
  /** What the loader of packs has read of stdin, to tell by it which one is meant. */
  var switchyardStdin: Buffer | undefined
}

function* chunksOf(fd: number): Generator<Buffer> {
  const begun = globalThis.switchyardStdin
  globalThis.switchyardStdin = undefined
  if (begun !== undefined) yield begun
  for (let chunk = readChunk(fd); chunk.length > 0; chunk = readChunk(fd)) yield chunk
}

/** What is there to read, or nothing at the end; waits for a writer. */
function readChunk(fd: number): Buffer {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let pauseMs = 1; ; ) {
    try {
      return chunk.subarray(0, readSync(fd, chunk, 0, chunkBytes, null))
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EOF') return chunk.subarray(0, 0)
      if (code === 'EISDIR')
        throw new Failure('usage', 'expected a file or a pipe on stdin, got a folder', { cause: error })
      if (code !== 'EAGAIN') throw new Failure('failed', `expected to read stdin, got ${code}`, { cause: error })
      pauseMs = pause(pauseMs)
    }
  }
}

export function* flatten<T>(batches: Iterable<readonly T[]>): Generator<T> {
  for (const batch of batches) yield* batch
}

/** The lines that each chunk completes, and the rest of the last one. Lines before one that is too long still come. */
export function* batchesOf(chunks: Iterable<Buffer>, bytesMax: number): Generator<Buffer[]> {
  const framer = new Framer(bytesMax)
  for (const chunk of chunks) yield* framer.push(chunk)
  yield* framer.end()
}

/** Only a process that lives long pays for the asynchronous way. */
async function* linesAsync(bytesMax: number): AsyncGenerator<Buffer> {
  const { asyncLines } = await import('./async-lines.ts')
  yield* asyncLines(bytesMax)
}

/** Sleeps without an event loop turn and returns how long to sleep next time. */
function pause(ms: number): number {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  return Math.min(ms * 2, pauseMsMax)
}

function streamName(fd: number): string {
  return fd === 2 ? 'stderr' : 'stdout'
}
