import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finished, run, type Started, start, tempFolder } from '@switchyard/testkit'

type Options = { env?: Record<string, string>; input?: string | Uint8Array }

/** One machine: a store of its own, its `jwz` and its relay. */
export function side(name: string, url: string) {
  const cwd = tempFolder(name)
  const env = { JWZ_AGENT: name, NATS_URL: url }
  const jwz = (args: readonly string[], options: Options = {}): Finished =>
    run('jwz', args, { cwd, ...options, env: { ...env, ...options.env } })
  const relay = (args: readonly string[], options: Options = {}): Finished =>
    run('jwz-relay', args, { cwd, ...options, env: { ...env, ...options.env } })
  const startRelay = (...args: string[]): Started => start('jwz-relay', args, { cwd, env })
  /** What the command must print when it goes well. */
  const ok = ({ code, stdout, stderr }: Finished): string => {
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const post = (topic: string, body: string, ...flags: string[]) =>
    ok(jwz(['post', topic, '-', ...flags], { input: body }))
  const sync = (...args: string[]) => ok(relay(['--once', ...args]))
  const file = (topic: string) => join(cwd, '.jwz/topics', `${topic.replaceAll(':', '/')}.jsonl`)
  /** The records of a topic's log as they stand on disk. */
  const records = (topic: string): Record<string, unknown>[] =>
    existsSync(file(topic))
      ? readFileSync(file(topic), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
      : []
  const ids = (topic: string) => records(topic).map(({ id }) => String(id))
  return { cwd, jwz, relay, startRelay, post, sync, file, records, ids }
}

export type Side = ReturnType<typeof side>
