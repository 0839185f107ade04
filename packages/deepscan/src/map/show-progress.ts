import type { Output } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import type { Result } from '../store/result-schema.ts'

/** Shows how a map gets on: a bar on a terminal, results as they come for programs, elsewhere a line each. */
export type ProgressView = {
  result(result: Result, done: number, total: number): void
  note(text: string): void
  end(): void
}

const barCells = 24
const clearLine = '\r\u001b[K'

export function openProgressView(output: Output): ProgressView {
  const hasBar = output.isTerminal && output.mode === 'text'
  const seen = { findings: 0, failed: 0, usd: 0 }
  return {
    result: (result, done, total) => {
      seen.findings += result.findings
      seen.failed += result.status === 'failed' ? 1 : 0
      seen.usd += result.usage?.cost_usd ?? 0
      if (hasBar) output.raw(`\r${barOf(done, total, seen)}\u001b[K`)
      else if (output.mode === 'jsonl') output.each(result, shownResult)
      else output.note(`${done}/${total} ${shownResult.text(result)}`)
    },
    note: (text) => {
      if (hasBar) output.raw(clearLine)
      output.note(text)
    },
    end: () => {
      if (hasBar) output.raw(clearLine)
    },
  }
}

const shownResult = {
  text: ({ chunk, status, findings, error, reused }: Result) => {
    const why = error === null ? '' : `: ${error.message} [${error.code}]`
    return `${chunk} ${status}, ${counted(findings, 'finding')}${reused === true ? ', known from before' : ''}${why}`
  },
  id: ({ chunk }: Result) => chunk,
}

function barOf(
  done: number,
  total: number,
  { findings, failed, usd }: { findings: number; failed: number; usd: number },
): string {
  const filled = total === 0 ? barCells : Math.floor((done / total) * barCells)
  const bar = `${'#'.repeat(filled)}${'.'.repeat(barCells - filled)}`
  const parts = [`${done}/${total} chunks`, counted(findings, 'finding')]
  if (failed > 0) parts.push(`${failed} failed`)
  if (usd > 0) parts.push(`$${usd.toFixed(2)}`)
  return `[${bar}] ${parts.join('  ')}`
}
