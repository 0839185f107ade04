// The board as one page that needs nothing else: no script, style, font or picture from elsewhere, and nothing an
// issue says can become part of it.
import { createHash } from 'node:crypto'
import { escapeHtml, nameHtml } from '@switchyard/cli-kit/html-text'
import { commentsOf } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { graphOf, nodeOf } from '../ready/graph.ts'
import type { GraphNode } from '../schema/graph-schemas.ts'
import { graphHtml } from './page-graph.ts'
import { cardHtml, type PageIssue, type PageIssues, panelHtml, timeHtml } from './page-issue.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

/** Closed issues that have a card; the others are found through links. */
const closedShownMax = 200

type Column = { readonly title: string; readonly className: string; readonly states: readonly GraphNode['state'][] }

/** What is open, but neither ready nor blocked, has parts that are worked on. */
const columns: readonly Column[] = [
  { title: 'Ready', className: 'ready', states: ['ready'] },
  { title: 'In progress', className: 'in_progress', states: ['in_progress', 'open'] },
  { title: 'Blocked', className: 'blocked', states: ['blocked'] },
  { title: 'Paused', className: 'paused', states: ['paused', 'deferred'] },
  { title: 'Done', className: 'closed', states: ['closed', 'duplicate'] },
]

/** The page of a store, in pieces to be written one after the other. `name` is what is said above it, `now` its time. */
export function* boardPage(ledger: Ledger, { name, now }: { name: string; now: number }): Generator<string> {
  const graph = graphOf(ledger, now)
  const all = new Map(
    graph.issues.map((issue) => {
      const whole = { ...issue, comments: commentsOf(ledger, issue.id) }
      return [issue.id, { node: nodeOf(graph, issue, now), issue: whole }]
    }),
  )
  const groups = columns.map((column) => ({ ...column, issues: issuesIn(all, column) }))
  yield headHtml(`${name} · tissue`)
  yield '<input class="view" type="radio" name="view" id="v-board" aria-label="Board" checked>'
  yield '<input class="view" type="radio" name="view" id="v-graph" aria-label="Graph">\n'
  yield topHtml(name, groups)
  yield '<main>\n<div class="board">\n'
  for (const group of groups) yield* columnHtml(group)
  yield `</div>\n${canvasHtml(graphHtml(all, graph))}`
  for (const one of all.values()) yield panelHtml(all, graph, one)
  yield `</main>\n<footer><p>As of ${timeHtml(now)} UTC. Keys: / finds, j and k go on and back, g turns to the graph, Esc closes.</p></footer>
<script>${pageScript}</script>
</body>
</html>
`
}

type Group = Column & { readonly issues: readonly PageIssue[] }

function issuesIn(all: PageIssues, { states }: Column): PageIssue[] {
  const found = [...all.values()].filter(({ node }) => states.includes(node.state))
  const isOver = states.includes('closed')
  return isOver ? found.sort((a, b) => (b.issue.closed_at ?? 0) - (a.issue.closed_at ?? 0)) : found
}

/** The head: it may run our script and style, and load nothing. */
function headHtml(title: string): string {
  const own = `style-src ${hashOf(pageStyle)}; script-src ${hashOf(pageScript)}`
  const policy = `default-src 'none'; img-src data:; ${own}; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function topHtml(name: string, groups: readonly Group[]): string {
  const counts = groups.map(({ title, className, issues }) => {
    return `<span class="${className}"><b>${issues.length.toLocaleString('en')}</b> ${title.toLowerCase()}</span>`
  })
  let x = 0
  const parts = [...groups].reverse().map(({ className, issues }) => {
    x += issues.length
    return `<rect class="${className}" x="${x - issues.length}" width="${issues.length}" height="1"/>`
  })
  return `<header><h1>${nameHtml(name)}</h1><p class="sum">${counts.join('')}</p>
<svg class="bar" viewBox="0 0 ${Math.max(1, x)} 1" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg>
<div class="tools"><output role="status"></output>
<input type="search" placeholder="Find  /" aria-label="Find issues" autocomplete="off" hidden>
<span class="tabs"><label for="v-board">Board</label><label for="v-graph">Graph</label></span></div></header>
`
}

function* columnHtml({ title, className, issues }: Group): Generator<string> {
  const shown = className === 'closed' ? issues.slice(0, closedShownMax) : issues
  yield `<section class="column ${className}" aria-label="${title}"><h2>${title} <span>${issues.length}</span></h2>\n<ol>\n`
  for (const issue of shown) yield cardHtml(issue)
  yield '</ol>\n'
  if (issues.length === 0) yield '<p class="none">nothing</p>'
  if (shown.length < issues.length) yield `<p class="more">and ${issues.length - shown.length} older ones</p>`
  yield '</section>\n'
}

function canvasHtml(svg: string): string {
  const buttons = [
    ['out', '−', 'Smaller'],
    ['in', '+', 'Larger'],
    ['fit', 'Fit', 'Whole graph'],
  ].map(([name, text, label]) => `<button type="button" name="${name}" aria-label="${label}">${text}</button>`)
  const key = (className: string) =>
    `<svg viewBox="0 0 24 8" aria-hidden="true"><path class="${className}" d="M0 4H24"/></svg>`
  if (svg === '') return '<div class="graph"><p class="none">No open issue is linked to another.</p></div>\n'
  return `<div class="graph"><div class="canvas" tabindex="0">${svg}</div>
<p class="key"><span>${key('waits')} blocks</span><span>${key('parent')} is the parent of</span></p>
<div class="zoom" hidden>${buttons.join('')}</div></div>
`
}
