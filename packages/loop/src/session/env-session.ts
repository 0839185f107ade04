import { Failure } from '@switchyard/cli-kit/failure'
import { type Session, session as sessionSchema } from '../state/event-schema.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Where each host says to the commands it runs which session they run in. */
const variables: readonly (readonly [Session['host'], string])[] = [
  ['claude', 'CLAUDE_CODE_SESSION_ID'],
  ['codex', 'CODEX_THREAD_ID'],
  ['codex', 'CODEX_SESSION_ID'],
  ['gemini', 'GEMINI_SESSION_ID'],
  ['opencode', 'OPENCODE_SESSION_ID'],
]

/** The session of an agent that a command was called in; undefined in an ordinary shell. */
export function sessionOf(env: Env): Session | undefined {
  for (const [host, name] of variables) {
    const id = env[name]
    if (id !== undefined && id.trim() !== '') return { host, id }
  }
  return undefined
}

/** What `--session` says: `claude:0a1b…`. Failure `usage` on anything else. */
export function parseSession(text: string): Session {
  const at = text.indexOf(':')
  const read = sessionSchema.safeParse({ host: text.slice(0, at), id: text.slice(at + 1).trim() })
  if (at > 0 && read.success && read.data.id !== '') return read.data
  throw new Failure('usage', `expected --session to be HOST:ID, got ${JSON.stringify(text)}`, {
    hint: 'HOST is claude, codex, gemini or opencode',
  })
}
