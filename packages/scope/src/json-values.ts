import { parseJson } from '@switchyard/ground/parse-json'
import type { z } from 'zod'

/**
 * The JSON values in an agent's output, which may have other lines around them: one document, whatever its layout, the
 * elements of one array, or one value a line.
 */
export function readJsonValues(text: string): unknown[] {
  const whole = parseJson(text)
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole]
  const lines = text.split('\n')
  const values = lines.filter((line) => line.startsWith('{')).flatMap((line) => parseJson(line) ?? [])
  if (values.length > 0) return values
  const from = lines.findIndex((line) => line.startsWith('{'))
  const to = lines.findLastIndex((line) => line.startsWith('}'))
  return from < 0 || to <= from ? [] : [parseJson(lines.slice(from, to + 1).join('\n')) ?? []].flat()
}

/** The values that fit the schema, as it gives them. */
export function fitting<T>(values: readonly unknown[], schema: z.ZodType<T>): T[] {
  return values.flatMap((value) => {
    const parsed = schema.safeParse(value)
    return parsed.success ? [parsed.data] : []
  })
}
