import type { Finding, Occurrence } from '../finding/finding.ts'
import type { Severity } from '../finding/severity.ts'
import type { Report } from './report-schema.ts'

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  high: 'error',
  medium: 'warning',
  low: 'note',
}

/** What code hosts sort alerts of security by, from 0 to 10. */
const securitySeverity: Readonly<Record<Severity, string>> = { high: '8.0', medium: '5.5', low: '2.0' }

/**
 * A report as SARIF 2.1.0, one result a place, so that each keeps its fingerprint. `version` is that of deepscan.
 */
export function* sarifReport({ findings }: Report, version: string): Generator<string> {
  const rules = [...new Map(findings.map((finding) => [finding.rule, finding])).values()]
  const indexes = new Map(rules.map(({ rule }, index) => [rule, index]))
  const driver = { name: 'deepscan', version, semanticVersion: version, rules: rules.map(describeRule) }
  const head = { tool: { driver }, columnKind: 'utf16CodeUnits', originalUriBaseIds: { SRCROOT: {} }, results: [] }
  const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
  yield JSON.stringify({ $schema: schema, version: '2.1.0', runs: [head] }).replace(/\]\}\]\}$/, '')
  let separator = '\n'
  for (const finding of findings) {
    for (const place of finding.occurrences ?? [finding]) {
      yield separator + JSON.stringify(resultAt(finding, place, indexes.get(finding.rule) ?? 0))
      separator = ',\n'
    }
  }
  yield '\n]}]}\n'
}

function describeRule(finding: Finding): object {
  const isSecurity = finding.category === 'security'
  return {
    id: finding.rule,
    shortDescription: { text: finding.title },
    fullDescription: { text: finding.message },
    ...(isUrl(finding.help) ? { helpUri: finding.help } : {}),
    defaultConfiguration: { level: levels[finding.severity] },
    properties: {
      tags: [finding.category],
      precision: finding.confidence,
      ...(isSecurity ? { 'security-severity': securitySeverity[finding.severity] } : {}),
    },
  }
}

function isUrl(help: string | undefined): boolean {
  return help !== undefined && /^https?:\/\/[^\s<>"{}|\\^`]+$/.test(help)
}

function resultAt(finding: Finding, place: Finding | Occurrence, ruleIndex: number): object {
  const isOwn = place.path === finding.path && place.line === finding.line && place.column === finding.column
  const end = { endLine: finding.end_line, endColumn: finding.end_column, snippet: { text: finding.quote } }
  const region = { startLine: place.line, startColumn: place.column, ...(isOwn ? end : {}) }
  const artifactLocation = { uri: encodePath(place.path), uriBaseId: 'SRCROOT' }
  return {
    ruleId: finding.rule,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: messageOf(finding) },
    locations: [{ physicalLocation: { artifactLocation, region } }],
    ...(place.id === undefined ? {} : { partialFingerprints: { 'deepscan/v1': place.id } }),
    ...(finding.score === undefined ? {} : { rank: Math.round(finding.score.total * 100) }),
    properties: {
      confidence: finding.confidence,
      analyser: finding.analyser ?? 'rules',
      ...(finding.verification === undefined ? {} : { verification: finding.verification }),
    },
  }
}

/** Brackets and braces are links and placeholders in a message of SARIF. */
function messageOf({ title, message }: Finding): string {
  return `${title}. ${message}`
    .replaceAll(/[[\]\\]/g, '\\$&')
    .replaceAll('{', '{{')
    .replaceAll('}', '}}')
}

/** A path as the relative reference of RFC 3986. */
function encodePath(path: string): string {
  const parts = path
    .split('/')
    .map((part) => encodeURIComponent(part.replaceAll(/[\uD800-\uDFFF](?![\uDC00-\uDFFF])/g, '\uFFFD')))
  return parts[0]?.includes(':') ? `./${parts.join('/')}` : parts.join('/')
}
