import { isPlainObject } from '@switchyard/ground/plain-object'

// Texts of events without the secrets that people, agents and commands put into them. Names, paths and ids stay.
const texts: ReadonlySet<string> = new Set([
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
])

/** A record or input with its texts redacted. */
export function redactTexts<Value extends object>(value: Value, redact: (text: string) => string): Value {
  const changed = { ...value }
  for (const [key, inner] of Object.entries(changed)) {
    if (typeof inner === 'string' && texts.has(key)) Object.assign(changed, { [key]: redact(inner) })
    else if (isPlainObject(inner)) {
      Object.assign(changed, { [key]: redactTexts(inner, redact) })
    }
  }
  return changed
}
