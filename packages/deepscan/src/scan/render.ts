import type { Finding, Fix } from '../finding/finding.ts'
import type { Tally } from './tally.ts'
import { isUnwritten } from './weigh.ts'

/** One finding as a line that editors can jump from. */
export function renderFinding({ path, line, column, severity, rule, title }: Finding): string {
  return `${oneLine(path)}:${line}:${column} ${severity} ${rule} ${title}`
}

/** What was scanned, found and left out, a remark each. Where nothing was found, what that answer rests on. */
export function renderTally(tally: Tally): string[] {
  const offers = tally.offers > 0 ? `, ${tally.offers} with an offer of one` : ''
  const lines = [
    `${count(tally.files, 'file')} scanned, ${count(tally.findings, 'finding')}, ${tally.fixable} with a rewrite${offers}`,
  ]
  if (tally.findings === 0 && tally.files > 0) {
    const looked = `${count(tally.rules, 'rule')} looked at ${count(tally.lines, 'line')}`
    lines.push(`${looked}; to ask an agent: deepscan init . -q "What is wrong here?"`)
  }
  if (tally.copies > 0) lines.push(`equal to another file: ${tally.copies}; findings name them as occurrences`)
  if (tally.skipped.size > 0) {
    const reasons = [...tally.skipped].sort(([a], [b]) => (a < b ? -1 : 1))
    const unwritten = reasons.some(([reason]) => isUnwritten(reason))
    const left = reasons.map(([reason, number]) => `${number} ${reason}`).join(', ')
    lines.push(`left out: ${left}${unwritten ? ' (--all takes in what is generated, minified or vendored)' : ''}`)
  }
  if (tally.brokenFiles > 0) {
    const [places, files] = [count(tally.brokenPlaces, 'place'), count(tally.brokenFiles, 'file')]
    lines.push(`syntax errors: ${places} in ${files}; the rest of them was scanned`)
  }
  if (tally.overflows > 0) lines.push(`rules given up on a file with too many candidates: ${tally.overflows}`)
  return lines
}

/** What was mended; before it was written, the change itself. */
export function renderFix({ applied, rule, path, line, before, after }: Fix): string {
  const place = `${rule} ${oneLine(path)}:${line}`
  if (applied) return `fixed ${place}`
  return [`would fix ${place}`, ...marked('-', before), ...marked('+', after)].join('\n')
}

function marked(mark: string, text: string): readonly string[] {
  return text.split('\n').map((line) => mark + line)
}

function oneLine(path: string): string {
  return path.replace(/[\r\n]/g, '?')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
