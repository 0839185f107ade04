// Runs around each test file: several share a process, and the thread that watches it.
import { env, pid } from 'node:process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach } from 'vitest'

const program = fileURLToPath(new URL('../preload/hang-watch.cjs', import.meta.url))
const nameBytes = 1000

/** Milliseconds of one test or hook, after which the runner itself has ended what it can end; see vitest.config.ts. */
const limit = Number(env['SWITCHYARD_HANG_MS'])

type Watch = { begin: (name: string) => void; end: () => void }

const kept = globalThis as typeof globalThis & { hangWatch?: Watch }

/** Kills all processes of the tests when one of them is past its limit; where there is no `/proc`, nothing does. */
function startWatch(): Watch {
  env['SWITCHYARD_TESTS'] = String(pid)
  const shared = new SharedArrayBuffer(12 + nameBytes + 4)
  const workerData = { shared, mark: `SWITCHYARD_TESTS=${pid}`, again: limit }
  new Worker(program, { workerData, execArgv: [], env: {} }).unref()
  const [deadline, length] = [new Float64Array(shared, 0, 1), new Int32Array(shared, 8, 1)]
  const text = new Uint8Array(shared, 12)
  const begin = (name: string) => {
    length[0] = new TextEncoder().encodeInto(name, text).written
    deadline[0] = Date.now() + limit
  }
  const end = () => {
    deadline[0] = 0
  }
  return { begin, end }
}

kept.hangWatch ??= startWatch()
const watch = kept.hangWatch

watch.begin('the start of a file')
beforeEach(({ task }) => watch.begin(`${task.file.name} > ${task.name}`))
afterEach(({ task }) => watch.begin(`${task.file.name}, after ${task.name}`))
afterAll(watch.end)
