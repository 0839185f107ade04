import { Failure } from '@switchyard/cli-kit/failure'
import { type Wanted, wantedSchema } from './finding.ts'

/**
 * The finding that a prompt asks to mend: the prompt may be a finding, an issue that carries one in `finding`, or any
 * text in which a
 * line is one of these; the last such line wins. Exits 2 when there is none.
 */
export function parseWanted(prompt: string): Wanted {
  const whole = findWanted(prompt)
  if (whole !== undefined) return whole
  for (const line of prompt.split('\n').reverse()) {
    const wanted = findWanted(line)
    if (wanted !== undefined) return wanted
  }
  throw new Failure('usage', 'expected a finding, or an issue with one, on stdin; there was none', {
    hint: 'pipe in a line of `deepscan run --jsonl`, or `tissue show ID --json`',
  })
}

function findWanted(text: string): Wanted | undefined {
  const value = parseObject(text)
  if (value === undefined) return undefined
  const finding = wantedSchema.safeParse(value)
  if (finding.success) return finding.data
  return 'finding' in value ? wantedSchema.safeParse(value.finding).data : undefined
}

function parseObject(text: string): object | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
