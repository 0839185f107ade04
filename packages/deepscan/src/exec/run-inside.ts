import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import type { OpenScan } from '../store/open-scan.ts'
import { patternMaker } from '../text/line-pattern.ts'
import type { Outcome } from './outcome.ts'
import { helperNames } from './prelude.ts'
import { readingOfProject, readingOfScan } from './reading.ts'
import { type Helpers, readingHelpers } from './reading-helpers.ts'
import { writingHelpers } from './writing.ts'

type Inside = {
  open: OpenScan | undefined
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  now: () => number
  timeoutMs: number
}

const memoryBytes = 134_217_728
const printedMax = 1_000_000

/** Runs code in this process, which may be killed at any moment. */
export async function runInside(code: string, { open, cwd, env, now, timeoutMs }: Inside): Promise<Outcome> {
  const { runIsolated } = await import('./isolate.ts')
  const makePattern = await patternMaker()
  let until = Number.POSITIVE_INFINITY
  const begin = () => {
    until = now() + timeoutMs
  }
  const deadline = () => now() > until
  const reading = open === undefined ? readingOfProject(cwd, env['HOME']) : readingOfScan(open)
  const reads = readingHelpers(reading, makePattern, deadline)
  const writes = open === undefined ? noScan : writingHelpers(open, { now, run: verbRunner(open, cwd, env) })
  return runIsolated(code, new Map([...writes, ...reads]), { memoryBytes, begin, deadline, printedMax })
}

const scanWanted = () => {
  throw new Failure('notFound', 'this wants a scan; deepscan init makes one')
}

const noScan: Helpers = new Map([
  ...helperNames.map((name) => [name, scanWanted] as const),
  ['is_lazy_mode', () => false] as const,
])

/** Runs another verb on the scan in a process of its own, since code waits for its answer. */
function verbRunner({ scan }: OpenScan, cwd: string, env: Inside['env']) {
  const tool = join(__dirname, '..', 'bin', 'deepscan.cjs')
  return (args: readonly string[], input: string): string => {
    const [verb = '', ...rest] = args
    const words = [tool, verb, '--session', scan.id, ...rest]
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd, env, input, encoding: 'utf8' })
    if (status === 0) return stdout
    throw new Failure('failed', stderr.trim().split('\n')[0] ?? `${verb} ended with exit ${status}`)
  }
}
