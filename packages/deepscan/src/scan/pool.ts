import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FileScan, ScanSettings, Work } from './file-scan.ts'
import type { Asked } from './scan-worker.ts'

type Results = readonly (FileScan | 'nested too deeply')[]

/** Threads that look through batches of files. Each batch is answered as a whole; batches run side by side. */
export type Pool = { size: number; scan: (batch: readonly Work[]) => Promise<Results>; close: () => Promise<void> }

/** A thread costs as much at its start as a few dozen files. */
const filesPerThread = 48
const threadsMax = 4

/** Opens threads for this many files: none, where the work is done sooner in the thread that asks. */
export async function openPool(settings: ScanSettings, files: number): Promise<Pool> {
  const threads = Math.min(threadsMax, availableParallelism(), Math.floor(files / filesPerThread))
  if (threads < 2) {
    const { scanBatch } = await import('./scan-worker.ts')
    return { size: 1, scan: (batch) => scanBatch(batch, settings), close: () => Promise.resolve() }
  }
  const seats = Array.from({ length: threads }, () => openSeat())
  const scan = (batch: readonly Work[]) => {
    const [seat] = [...seats].sort((a, b) => a.open.length - b.open.length)
    if (seat === undefined) throw new Error('bug: a pool without threads')
    return ask(seat, { batch, settings })
  }
  return {
    size: threads,
    scan,
    close: async () => {
      await Promise.all(seats.map(({ worker }) => worker.terminate()))
    },
  }
}

/** What the build makes of `scan-worker.ts`. */
const threadFile = 'scan-worker.cjs'

type Seat = { worker: Worker; open: { resolve: (results: Results) => void; reject: (error: Error) => void }[] }

function openSeat(): Seat {
  const worker = new Worker(join(__dirname, threadFile), {
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
  })
  const seat: Seat = { worker, open: [] }
  worker.on('message', (results: Results) => seat.open.shift()?.resolve(results))
  worker.on('error', (error) => {
    for (const asked of seat.open.splice(0)) asked.reject(error)
  })
  return seat
}

function ask({ worker, open }: Seat, asked: Asked): Promise<Results> {
  return new Promise((resolve, reject) => {
    open.push({ resolve, reject })
    worker.postMessage(asked)
  })
}
