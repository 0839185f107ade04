import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import * as z from 'zod'
import { type Wanted, wantedSchema } from '../finding/finding.ts'

/**
 * The finding that a prompt asks to mend. The prompt may be a finding, an issue that carries one in `finding`, or any
 * text: then the last line that is one of these counts, and what is pasted above it does not, even when that issue
 * has no finding. Exits 2 when there is none.
 */
export function parseWanted(prompt: string): Wanted {
  for (const text of [prompt, ...prompt.split('\n').reverse()]) {
    const value = parseObject(text)
    if (value === undefined) continue
    const wanted = findWanted(value)
    if (wanted !== undefined) return wanted
    if (issueSchema.safeParse(value).success) break
  }
  throw new Failure('usage', 'expected a finding, or an issue with one, on stdin; there was none', {
    hint: 'pipe in a line of `deepscan run --jsonl`, or `tissue show ID --json`',
  })
}

const issueSchema = z.object({ id: z.string(), title: z.string(), status: z.string() })

function findWanted(value: object): Wanted | undefined {
  const finding = wantedSchema.safeParse(value)
  if (finding.success) return finding.data
  return 'finding' in value ? wantedSchema.safeParse(value.finding).data : undefined
}

function parseObject(text: string): object | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? value : undefined
}
