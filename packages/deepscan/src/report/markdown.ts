import { harmlessText } from '@switchyard/cli-kit/harmless-text'
import type { Finding } from '../finding/finding.ts'
import { severities } from '../finding/severity.ts'
import { otherPlaces, placeOf, renderTotals } from './facts.ts'
import type { Report } from './report-schema.ts'

/** Places of a finding that are written out. */
const placesShown = 20

/** A report as Markdown: a section a severity, a finding a heading. Nothing that scanned code says is markup. */
export function* markdownReport(report: Report): Generator<string> {
  yield '# Findings\n\n'
  if (report.query !== null) yield `${escapeMarkdown(report.query)}\n\n`
  yield `${renderTotals(report)}.\n`
  for (const severity of [...severities].reverse()) {
    const findings = report.findings.filter((finding) => finding.severity === severity)
    if (findings.length === 0) continue
    yield `\n## ${severity} (${findings.length})\n`
    for (const finding of findings) yield findingMarkdown(finding)
  }
}

function findingMarkdown(finding: Finding): string {
  const others = otherPlaces(finding)
  const more = others.length > placesShown ? `\n- and ${others.length - placesShown} more` : ''
  const list = others.slice(0, placesShown).map((place) => `\n- ${codeSpan(place)}`)
  const facts = [
    `${codeSpan(placeOf(finding))}`,
    codeSpan(finding.rule),
    `confidence ${finding.confidence}`,
    finding.verification,
    finding.contradicts === undefined ? undefined : 'contradicted by another finding',
  ].filter((fact) => fact !== undefined)
  const also = others.length === 0 ? '' : `\nAlso at:\n${list.join('')}${more}\n`
  return `\n### ${escapeMarkdown(finding.title)}\n\n${facts.join(' · ')}\n\n${escapeMarkdown(finding.message)}\n\n${fenced(finding.quote)}\n${also}`
}

/** Text on one line without a character that Markdown or HTML would act on. */
function escapeMarkdown(text: string): string {
  return harmlessText(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>()#+!|~&@:-]/g, (character) =>
      /[@:]/.test(character) ? `${character}\u200b` : `\\${character}`,
    )
    .trim()
}

/** Text as code between more backticks than it has in a row. */
function codeSpan(text: string): string {
  const plain = harmlessText(text).replaceAll(/\s+/g, ' ')
  const marks = '`'.repeat(longestRun(plain) + 1)
  const pad = /^`|`$/.test(plain) ? ' ' : ''
  return `${marks}${pad}${plain}${pad}${marks}`
}

function fenced(text: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${marks}\n${harmlessText(text)}\n${marks}\n`
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
}
