// An issue on the board's page: a card in a column, and all that is known of it in a panel of its own.
import { counted } from '@switchyard/cli-kit/counted'
import { bodyHtml, escapeHtml, nameHtml } from '@switchyard/cli-kit/html-text'
import { linkWords } from '../graph/link-text.ts'
import { renderProgress } from '../graph/progress.ts'
import type { Graph } from '../ready/graph.ts'
import { fieldLines } from '../render/field-lines.ts'
import { kindOf } from '../schema/fields.ts'
import type { GraphNode } from '../schema/graph-schemas.ts'
import type { Issue } from '../schema/schemas.ts'

/** What a page says of an issue: all issues are there by their ids. */
export type PageIssue = { readonly node: GraphNode; readonly issue: Issue }
export type PageIssues = ReadonlyMap<string, PageIssue>

/** Where the panel of an issue is on the page. Ids have only letters, digits and hyphens. */
export function anchorOf(id: string): string {
  return `i-${id}`
}

/** An issue as a card that leads to its panel. */
export function cardHtml({ node, issue }: PageIssue): string {
  const { id, short, priority, title, by, waits_for, progress } = node
  const said = issue.comments?.length ?? 0
  const marks = [
    ...issue.tags.map((tag) => `<span class="tag">${nameHtml(tag)}</span>`),
    issue.issue_type === 'task' ? '' : `<span>${escapeHtml(issue.issue_type)}</span>`,
    waits_for.length > 0 ? `<span>waits for ${waits_for.length}</span>` : '',
    said > 0 ? `<span>${counted(said, 'comment')}</span>` : '',
    progress ? `<span>${progress.done}/${progress.total}</span>` : '',
  ].join('')
  const who = by ?? issue.assignee
  return [
    `<li><a class="card ${node.state}" href="#${anchorOf(id)}">`,
    `<span class="top"><span class="id">${short}</span><span class="p${priority}">P${priority}</span>`,
    who === null ? '' : `<span class="who">${nameHtml(`@${who}`)}</span>`,
    `</span><strong>${nameHtml(title)}</strong>`,
    marks === '' ? '' : `<span class="marks">${marks}</span>`,
    progress ? meterHtml(progress) : '',
    '</a></li>\n',
  ].join('')
}

/** The panel with all that is known of an issue; it shows when a link leads to it. */
export function panelHtml(all: PageIssues, { progress }: Graph, { node, issue }: PageIssue): string {
  const { id, state, priority } = node
  const own = progress(id)
  return [
    `<article class="detail ${state}" id="${anchorOf(id)}"><div class="bar2"><span class="id">${id}</span>`,
    '<label for="v-graph">in the graph</label><a class="close" href="#_" aria-label="Close">×</a></div>',
    `<h2>${nameHtml(issue.title)}</h2>`,
    `<p class="marks"><span class="state">${state.replace('_', ' ')}</span>`,
    `<span class="p${priority}">P${priority}</span>`,
    ...issue.tags.map((tag) => `<span class="tag">${nameHtml(tag)}</span>`),
    `</p><dl class="facts">${factsOf(issue, node).map(factHtml).join('')}</dl>`,
    own ? `<p class="marks">${renderProgress(own)}</p>${meterHtml(own)}` : '',
    linksHtml(all, issue),
    issue.body.trim() === '' ? '' : `<h3>Body</h3><div class="body">${bodyHtml(issue.body)}</div>`,
    ...fieldLines(issue).map(({ label, text, isLong }) =>
      isLong ? `<h3>${label}</h3><div class="body">${bodyHtml(text)}</div>` : '',
    ),
    commentsHtml(issue),
    '</article>\n',
  ].join('')
}

type Fact = readonly [name: string, html: string]

function factsOf(issue: Issue, { by }: GraphNode): Fact[] {
  const { claim, created_at, created_by, updated_at, closed_at, close_reason, refs } = issue
  const facts: (Fact | undefined)[] = [
    ['type', escapeHtml(issue.issue_type)],
    claim
      ? [by === undefined ? 'held, run out' : 'held', `${nameHtml(claim.by)} until ${timeHtml(claim.until)}`]
      : undefined,
    ...fieldLines(issue).map(({ name, label, text, isLong }): Fact | undefined => {
      const value = issue[name]
      if (isLong) return undefined
      return [label, typeof value === 'number' && kindOf(name) === 'moment' ? timeHtml(value) : nameHtml(text)]
    }),
    ['made', `${timeHtml(created_at)} by ${nameHtml(created_by)}`],
    updated_at === created_at ? undefined : ['changed', timeHtml(updated_at)],
    closed_at === undefined ? undefined : ['closed', timeHtml(closed_at) + reasonHtml(close_reason)],
    refs === undefined ? undefined : ['refs', refs.map(nameHtml).join(', ')],
    ...Object.entries(issue.meta ?? {}).map(([name, value]): Fact => [escapeHtml(name), nameHtml(value)]),
  ]
  return facts.filter((fact) => fact !== undefined)
}

function factHtml([name, html]: Fact): string {
  return `<dt>${name}</dt><dd>${html}</dd>`
}

function reasonHtml(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${nameHtml(reason)}`
}

/** The links of an issue from its side, each way of saying it once. */
function linksHtml(all: PageIssues, { id, deps }: Issue): string {
  const groups = new Map<string, string[]>()
  for (const { kind, from, to } of deps) {
    const words = linkWords[kind][from === id ? 0 : 1]
    groups.set(words, [...(groups.get(words) ?? []), otherHtml(all, from === id ? to : from)])
  }
  return [...groups].map(([words, items]) => `<h3>${words}</h3><ul class="links">${items.join('')}</ul>`).join('')
}

function otherHtml(all: PageIssues, id: string): string {
  const other = all.get(id)
  if (!other) return `<li><span class="id">${id}</span></li>`
  const { state, short } = other.node
  const isOver = state === 'closed' || state === 'duplicate'
  const title = `<span${isOver ? ' class="over"' : ''}>${nameHtml(other.issue.title)}</span>`
  return `<li><a href="#${anchorOf(id)}"><span class="id">${short}</span> ${title}</a></li>`
}

function commentsHtml({ comments = [] }: Issue): string {
  if (comments.length === 0) return ''
  const items = comments.map(
    ({ by, at, body }) =>
      `<div class="comment"><p>${nameHtml(by)}, ${timeHtml(at)}</p><div class="body">${bodyHtml(body)}</div></div>`,
  )
  return `<h3>Comments</h3>${items.join('')}`
}

function meterHtml({ done, total }: { done: number; total: number }): string {
  return `<progress max="${Math.max(1, total)}" value="${done}" aria-label="${done} of ${total} done"></progress>`
}

/** A time in UTC to the minute; a bare number where no calendar has it. */
export function timeHtml(at: number): string {
  if (Math.abs(at) > 8.64e15) return String(at)
  const text = new Date(at).toISOString()
  return `<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')}</time>`
}
