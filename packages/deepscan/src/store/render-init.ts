import type { Delta } from './previous-scan.ts'
import { renderTree } from './render-tree.ts'
import type { Scan } from './scan-schema.ts'
import type { Summary } from './summary.ts'

const rowsMax = 6
/** Instructions and numbers of lines that an agent is given with each chunk, roughly. */
const promptTokens = 1_500

/** One screen: what was found, what it will cost, what to type next. */
export function renderInit(scan: Scan, summary: Summary, delta: Delta | undefined): string {
  const { files, lines, skipped, changes, unread } = summary
  const left = [...skipped].filter(([reason]) => reason !== 'not loaded yet')
  const found = [
    `${scan.id}${scan.name === null ? '' : ` (${scan.name})`}`,
    unread.length > 0
      ? `  ${numbered(unread.length, 'file')} below ${scan.root}, not read yet`
      : `  ${numbered(files, 'file')}, ${numbered(lines, 'line')} below ${scan.root}${scan.rev === null ? '' : ` at ${scan.rev.slice(0, 12)}`}`,
    changes.files > 0
      ? `  changed: ${numbered(changes.hunks, 'place')} in ${numbered(changes.files, 'file')}${called(changes.callers)}`
      : '',
    delta === undefined ? '' : `  since ${scan.previous}: ${renderDelta(delta)}`,
    row(
      'languages',
      [...summary.languages].map(([name, sum]) => [name, sum.files]),
    ),
    row(
      'kinds',
      [...summary.kinds].map(([name, sum]) => [name, sum.files]),
    ),
    row('left out', left),
  ]
  const rest = unread.length > 0 ? renderLazy(scan, unread) : renderCost(scan, summary)
  return [...found, ...rest].filter((line) => line !== '').join('\n')
}

function renderDelta({ unchanged, changed, added, deleted, renamed }: Delta): string {
  const parts = [`${changed} changed`, `${added} added`, `${deleted} deleted`, `${renamed} renamed`]
  return `${parts.join(', ')}, ${unchanged} as they were`
}

function renderCost(scan: Scan, { tokens, bytes }: Summary): string[] {
  const chunks = Math.max(1, Math.ceil(bytes / scan.size))
  const all = short(tokens + chunks * promptTokens)
  const next = scan.query === null ? 'deepscan run for the built-in rules' : 'deepscan map --with claude to ask agents'
  return [
    `  about ${short(tokens)} tokens in ${numbered(chunks, 'chunk')}: an agent that reads all takes about ${all}`,
    `next: deepscan scout for a closer look, deepscan chunk, ${next}`,
  ]
}

function renderLazy(scan: Scan, unread: readonly string[]): string[] {
  const { lines, more } = renderTree(unread, scan.depth)
  return [
    ...lines.map((line) => `  ${line}`),
    more > 0 ? `  … ${more} more; --depth shows more` : '',
    'next: deepscan init --target PATH --force takes in what you name',
  ]
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

/** `950`, `12k`, `1.3m`. */
function short(number: number): string {
  if (number < 1_000) return String(number)
  return number < 1_000_000 ? `${Math.round(number / 1_000)}k` : `${(number / 1_000_000).toFixed(1)}m`
}

function called(callers: number): string {
  return callers === 0 ? '' : `, called at ${numbered(callers, 'place')}`
}
