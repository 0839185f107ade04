import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finished, run, tempRepo } from '@switchyard/testkit'

type Options = { input?: string | Uint8Array; env?: Record<string, string>; cwd?: string }

/** A fresh repository and the built jwz in it; everyone is called ann unless a test says otherwise. */
export function freshBus() {
  const cwd = tempRepo()
  const jwz = (args: readonly string[], { input, env, cwd: folder = cwd }: Options = {}): Finished =>
    run('jwz', args, { cwd: folder, env: { JWZ_AGENT: 'ann', ...env }, ...(input === undefined ? {} : { input }) })
  /** The id of a new message. */
  const post = (topic: string, body: string, ...flags: string[]): string => {
    const { code, stdout, stderr } = jwz(['post', topic, '-m', body, ...flags])
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const file = (topic: string) => join(cwd, '.jwz/topics', `${topic.replaceAll(':', '/')}.jsonl`)
  /** The records of a topic's active file as they stand on disk. */
  const records = (topic: string): Record<string, unknown>[] =>
    existsSync(file(topic))
      ? readFileSync(file(topic), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
      : []
  return { cwd, jwz, post, file, records }
}

/** A run that went well and said nothing to people. */
export function ok(stdout: string) {
  return { code: 0, signal: null, stdout, stderr: '' }
}

/** A run that failed with one line. */
export function failed(code: number, stderr: string) {
  return { code, signal: null, stdout: '', stderr: `jwz: ${stderr}\n` }
}

export const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
