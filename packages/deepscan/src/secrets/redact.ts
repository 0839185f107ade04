import { redact as mark, secretMark } from '@switchyard/cli-kit/secrets'

/** A secret that was found in a text, and what stands in its place. */
export type FoundSecret = { readonly rule: string; readonly placeholder: string }

/** The text with a placeholder for each secret, on as many lines. */
export async function redact(text: string): Promise<{ text: string; found: readonly FoundSecret[] }> {
  const kept = mark(text, [])
  const count = kept.split(secretMark).length - text.split(secretMark).length
  return {
    text: kept,
    found: Array.from({ length: Math.max(0, count) }, () => ({ rule: 'form', placeholder: secretMark })),
  }
}
