import { escapeHtml, nameHtml } from '@switchyard/cli-kit/html-text'
import type { Finding } from '../finding/finding.ts'
import { type Severity, severities } from '../finding/severity.ts'
import { otherPlaces, placeOf, renderTotals } from './facts.ts'
import { htmlStyle } from './html-style.ts'
import type { Report } from './report-schema.ts'

/** A report as one page that needs no other file, no script and no network. All that is quoted is escaped. */
export function* htmlReport(report: Report): Generator<string> {
  const sections = [...severities].reverse().map((severity) => ({
    severity,
    findings: report.findings.filter((finding) => finding.severity === severity),
  }))
  const present = sections.filter(({ findings }) => findings.length > 0)
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Findings</title>
<style>${htmlStyle}</style>
</head>
<body>
<header>
<h1>Findings</h1>
${report.query === null ? '' : `<p class="query">${escapeHtml(report.query)}</p>`}
<p class="totals">${escapeHtml(renderTotals(report))}.</p>
</header>
<nav aria-label="Severities">${present.map(({ severity, findings }) => `<a class="${severity}" href="#${severity}">${findings.length} ${severity}</a>`).join('')}</nav>
<main>
${present.length === 0 ? '<p>Nothing was found.</p>\n' : ''}`
  for (const { severity, findings } of present) yield* sectionHtml(severity, findings)
  yield '</main>\n</body>\n</html>\n'
}

function* sectionHtml(severity: Severity, findings: readonly Finding[]): Generator<string> {
  yield `<section id="${severity}" aria-labelledby="${severity}-title">\n<h2 id="${severity}-title">${severity}</h2>\n`
  for (const finding of findings) yield findingHtml(finding)
  yield '</section>\n'
}

function findingHtml(finding: Finding): string {
  const { severity, title, message, rule, category, quote } = finding
  const facts = [rule, category, `confidence ${finding.confidence}`, finding.verification].filter(
    (fact) => fact !== undefined,
  )
  const disputed =
    finding.contradicts === undefined
      ? ''
      : '<p class="disputed">Another finding says the opposite of this place.</p>\n'
  return `<article class="${severity}" id="f-${escapeHtml(finding.id)}">
<h3>${escapeHtml(title)}</h3>
<p class="place"><code>${nameHtml(placeOf(finding))}</code></p>
<p>${proseHtml(message)}</p>
${disputed}<pre tabindex="0"><code>${escapeHtml(quote)}</code></pre>
${othersHtml(finding)}<ul class="facts">${facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('')}</ul>
</article>
`
}

/** A message with what stands between backticks as code. */
function proseHtml(message: string): string {
  return escapeHtml(message).replaceAll(/`([^`\n]{1,400})`/g, '<code>$1</code>')
}

function othersHtml(finding: Finding): string {
  const others = otherPlaces(finding)
  if (others.length === 0) return ''
  const items = others.map((place) => `<li><code>${nameHtml(place)}</code></li>`).join('')
  return `<details><summary>${others.length} more ${others.length === 1 ? 'place' : 'places'}</summary><ul>${items}</ul></details>\n`
}
