import { Failure } from '@switchyard/ground/failure'
import { type Session, session as sessionSchema } from '../state/event-schema.ts'

/** The session of an agent that a command was called in. */
export { agentSession as sessionOf } from '@switchyard/topic'

/** What `--session` says: `claude:0a1b…`. Failure `usage` on anything else. */
export function parseSession(text: string): Session {
  const at = text.indexOf(':')
  const read = sessionSchema.safeParse({ host: text.slice(0, at), id: text.slice(at + 1).trim() })
  if (at > 0 && read.success && read.data.id !== '') return read.data
  throw new Failure('usage', `expected --session to be HOST:ID, got ${JSON.stringify(text)}`, {
    hint: 'HOST is claude, codex, gemini or opencode',
  })
}
