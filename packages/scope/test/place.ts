import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Finished, run, type Started, script, start, tempFolder, toolPath } from '@switchyard/testkit'
import { type Envelope, envelopeSchema } from '../src/envelope-schema.ts'

export const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url)), 'utf8')

/** A folder with scripted agents on PATH, which note how they were called. */
export type Place = {
  root: string
  /** Writes the agent: it notes its arguments, stdin, environment and folder, prints `stdout`, then does `after`. */
  agent(name: string, says?: { stdout?: string; after?: string }): void
  scope(args: readonly string[], input?: string): Finished
  start(args: readonly string[], input: string): Started
  /** What the agent noted: `argv`, `stdin`, `env` or `cwd`. */
  noted(what: string): string
  isThere(name: string): boolean
}

export function place(env: Record<string, string> = {}): Place {
  const root = tempFolder('scope')
  const bin = join(root, 'bin')
  const all = { PATH: [bin, toolPath()].join(delimiter), ...env }
  return {
    root,
    agent(name, { stdout = '', after = '' } = {}) {
      script(join(root, `${name}.stdout`), stdout)
      const notes = `printf '%s\\n' "$@" >'${root}/argv'; cat >'${root}/stdin'; env >'${root}/env'; pwd >'${root}/cwd'`
      script(join(bin, name), `#!/bin/sh\n${notes}\ncat '${root}/${name}.stdout'\n${after}\n`)
    },
    scope: (args, input = 'Say hi') => run('scope', args, { cwd: root, env: all, input }),
    start: (args, input) => start('scope', args, { cwd: root, env: all, input }),
    noted: (what) => readFileSync(join(root, what), 'utf8'),
    isThere: (name) => existsSync(join(root, name)),
  }
}

/** The envelope that was printed, checked against its schema. */
export const envelope = ({ stdout }: Finished): Envelope => envelopeSchema.parse(JSON.parse(stdout))
