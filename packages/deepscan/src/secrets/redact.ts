import { createHash } from 'node:crypto'
import type { FoundSecret } from './found-secret.ts'

/** A secret that was taken out, and what stands in its place. */
type Redaction = FoundSecret & { placeholder: string }
export type Redacted = { text: string; found: readonly Redaction[] }

/**
 * The text without its secrets. Lines and columns stay: each placeholder is as long as its secret, over several lines
 * when that was. The same secret has the same placeholder in every text.
 */
export async function redact(text: string): Promise<Redacted> {
  const { findSecrets } = await import('./find-secrets.ts')
  const found = (await findSecrets(text)).map((secret) => {
    return { ...secret, placeholder: placeholderFor(secret.rule, text.slice(secret.start, secret.end)) }
  })
  let from = 0
  let redacted = ''
  for (const { start, end, placeholder } of found) {
    redacted += text.slice(from, start) + placeholder
    from = end
  }
  return { text: redacted + text.slice(from), found }
}

/** Two digits of a hash tell two secrets of a kind apart and give nothing away that would help to guess one. */
function placeholderFor(rule: string, secret: string): string {
  const [first = '', ...rest] = secret.split('\n')
  const end = first.endsWith('\r') ? '\r' : ''
  const room = first.length - end.length
  const label = `[secret:${rule}:${createHash('sha256').update(secret).digest('hex').slice(0, 2)}`
  const line = room > label.length ? `${label}${'*'.repeat(room - label.length - 1)}]` : '*'.repeat(room)
  return [line + end, ...rest.map((other) => other.replace(/[^\r]/g, '*'))].join('\n')
}
