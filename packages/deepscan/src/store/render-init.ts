import type { Scan } from './scan-schema.ts'
import type { Summary } from './summary.ts'

const rowsMax = 6

/** One screen: what was found, what it will cost, what to type next. */
export function renderInit(scan: Scan, summary: Summary): string {
  const { files, lines, tokens, skipped } = summary
  const chunks = Math.max(1, Math.ceil(summary.bytes / scan.size))
  const found = [
    `${scan.id}${scan.name === null ? '' : ` (${scan.name})`}`,
    `  ${numbered(files, 'file')}, ${numbered(lines, 'line')} below ${scan.root}`,
    row(
      'languages',
      [...summary.languages].map(([name, sum]) => [name, sum.files]),
    ),
    row(
      'kinds',
      [...summary.kinds].map(([name, sum]) => [name, sum.files]),
    ),
    row('left out', [...skipped]),
  ]
  const cost = `  about ${short(tokens)} tokens in ${numbered(chunks, 'chunk')}: an agent that reads all takes about ${short(tokens + chunks * 1_500)}`
  const next = ['next: deepscan status, deepscan coverage, deepscan run for the built-in rules']
  return [...found.filter((line) => line !== ''), cost, ...next].join('\n')
}

function row(title: string, counts: readonly (readonly [string, number])[]): string {
  if (counts.length === 0) return ''
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const shown = sorted.slice(0, rowsMax).map(([name, number]) => `${number} ${name}`)
  const rest = sorted.slice(rowsMax).reduce((sum, [, number]) => sum + number, 0)
  return `  ${title}: ${[...shown, ...(rest > 0 ? [`${rest} others`] : [])].join(', ')}`
}

function numbered(number: number, noun: string): string {
  return `${number.toLocaleString('en-US').replaceAll(',', ' ')} ${noun}${number === 1 ? '' : 's'}`
}

/** `950`, `12 k`, `1.3 M`. */
function short(number: number): string {
  if (number < 1_000) return String(number)
  return number < 1_000_000 ? `${Math.round(number / 1_000)} k` : `${(number / 1_000_000).toFixed(1)} M`
}
