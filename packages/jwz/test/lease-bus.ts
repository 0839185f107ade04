import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshBus } from './bus.ts'

/** A lease as the tool prints it. */
export type LeaseView = {
  id: string
  holder: string
  keys: string[]
  mode: string
  until: number
  fence: number
  state: string
}

/** A fresh bus and what tests of leases ask of it. */
export function freshLeases() {
  const bus = freshBus()
  const log = join(bus.cwd, '.jwz/leases.jsonl')
  /** The records of the log as they stand on disk, whole lines only. */
  const records = (): Record<string, unknown>[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .slice(0, -1)
          .filter((line) => line !== '')
          .flatMap((line) => recordIn(line))
      : []
  const lease = (verb: string, ...args: string[]) => bus.jwz(['lease', verb, ...args])
  /** The id of a new lease. */
  const acquire = (...args: string[]): string => {
    const { code, stdout, stderr } = lease('acquire', ...args)
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const list = (...flags: string[]): LeaseView[] => JSON.parse(lease('list', '--json', ...flags).stdout)
  return { ...bus, log, records, lease, acquire, list }
}

function recordIn(line: string): Record<string, unknown>[] {
  try {
    return [JSON.parse(line)]
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
