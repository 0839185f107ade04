// What the schemas of other trackers' records share. Everything that they write is optional unless an issue cannot do
// without it, and null is as good as missing: their versions differ.
import { z } from 'zod'

/** Text that may be missing; what is empty counts as missing. */
export const maybeText = z
  .string()
  .nullish()
  .transform((text) => (text == null || text === '' ? undefined : text))

/** A time as ISO text, as milliseconds since 1970. Years before that are none that a tracker writes. */
export const maybeTime = z
  .string()
  .nullish()
  .transform((text, context) => {
    if (text == null || text === '') return undefined
    const time = Date.parse(text)
    if (Number.isSafeInteger(time) && time >= 0) return time
    // Go writes the year 1 for no time at all.
    if (Number.isSafeInteger(time)) return undefined
    context.addIssue({ code: 'custom', message: `expected a time, got ${JSON.stringify(text)}` })
    return z.NEVER
  })

/** A list that may be missing. */
export function maybeList<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((list) => list ?? [])
}

/** Why a record does not fit, for a message: the first field that does not, and what was expected of it. */
export function schemaFault({ issues }: z.ZodError): string {
  const [first] = issues
  const field = first === undefined || first.path.length === 0 ? 'it' : first.path.join('.')
  return `has a wrong or missing ${field} (${(first?.message ?? '').replace(/^Invalid input: /, '')})`
}

/** A time as people and other trackers read it. */
export function isoTime(at: number | undefined): string | undefined {
  return at === undefined || at > 8.64e15 ? undefined : new Date(at).toISOString()
}
