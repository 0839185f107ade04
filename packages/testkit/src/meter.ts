import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempFolder } from './folder.ts'

const preload = fileURLToPath(new URL('../preload/meter.cjs', import.meta.url))

/** What a process took: bytes read from the files that were watched, and its memory at its peak. */
export type Taken = { bytes: number; peakBytes: number }

/**
 * A meter for one process at a time: `env` makes it count what it reads from files whose path contains `match`, `taken`
 * says what it took once it has ended.
 */
export function meter(match: string): { env: Record<string, string>; taken(): Taken } {
  const report = join(tempFolder('meter'), 'report.json')
  return {
    env: { NODE_OPTIONS: `--require=${preload}`, SWITCHYARD_METER: JSON.stringify({ report, match }) },
    taken: () => JSON.parse(readFileSync(report, 'utf8')),
  }
}
