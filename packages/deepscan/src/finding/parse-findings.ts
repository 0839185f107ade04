import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import * as z from 'zod'
import { type Finding, findingSchema } from './finding.ts'

const listSchema = z.array(z.unknown())
const reportSchema = z.object({ findings: z.array(z.unknown()) })
const recordSchema = z.object({ type: z.string() })

/**
 * The findings in a text: an array, a report, or one record a line, of which others than findings are passed over.
 * `name` is for people. Exits 2, naming the line, for what is none.
 */
export function parseFindings(text: string, name: string): Finding[] {
  const whole = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
  const list = listSchema.safeParse(whole).data ?? reportSchema.safeParse(whole).data?.findings
  if (list !== undefined) return list.map((value, index) => parseFinding(value, `${name}, finding ${index + 1}`))
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parseJson(line)
    const record = recordSchema.safeParse(value)
    if (record.success && record.data.type !== 'finding') return []
    return [parseFinding(value, `${name}:${index + 1}`)]
  })
}

function parseFinding(value: unknown, place: string): Finding {
  const parsed = findingSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.')
  throw new Failure('usage', `${place} is no finding: ${field ? `${field}: ` : ''}${issue?.message ?? 'no record'}`, {
    hint: 'deepscan schema finding shows what a finding is',
  })
}
