// Texts of events without the secrets that people, agents and commands put into them. Names, paths and ids stay.
import type { Journal } from './journal.ts'

const texts: ReadonlySet<string> = new Set([
  ...[
    'goal',
    'with',
    'verify',
    'text',
    'result',
    'reason',
    'output',
    'feedback',
    'why',
    'unknown',
    'url',
    'title',
    'error',
  ],
])

/** A journal that takes the secrets out of what it records. */
export function withoutSecrets(journal: Journal, redact: (text: string) => string): Journal {
  return { ...journal, record: (event) => journal.record(redactTexts(event, redact)) }
}

/** A record or input with its texts redacted. */
export function redactTexts<Value extends object>(value: Value, redact: (text: string) => string): Value {
  const changed = { ...value }
  for (const [key, inner] of Object.entries(changed)) {
    if (typeof inner === 'string' && texts.has(key)) Object.assign(changed, { [key]: redact(inner) })
    else if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      Object.assign(changed, { [key]: redactTexts(inner, redact) })
    }
  }
  return changed
}
