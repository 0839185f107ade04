// A graph in the languages of drawing programs. Titles are whatever anybody wrote, so each is quoted whole.
import type { DepKind } from '../schema/event-schema.ts'
import type { GraphNode, Tree } from '../schema/graph-schemas.ts'
import { renderProgress } from './progress.ts'

type Drawn = Pick<Tree, 'nodes' | 'links'>

const titleLengthMax = 60

/** Fill and text colour by state; both show on light and on dark paper. */
const colours = {
  ready: ['#d7f2dc', '#12391d'],
  in_progress: ['#d6e6ff', '#0d2f66'],
  blocked: ['#ffe3d1', '#5c2600'],
  open: ['#eceff1', '#22272b'],
  paused: ['#fff2c4', '#4d3c00'],
  deferred: ['#fff2c4', '#4d3c00'],
  closed: ['#f6f7f8', '#6b7480'],
  duplicate: ['#f6f7f8', '#6b7480'],
} as const satisfies Record<GraphNode['state'], readonly [string, string]>

const dotStyles = {
  blocks: 'color="#c2410c"',
  parent: 'style=dashed, arrowhead=none, color="#64748b"',
  relates: 'style=dotted, arrowhead=none',
  'discovered-from': 'style=dotted',
  duplicates: 'style=dotted',
  supersedes: 'style=dotted',
  'caused-by': 'style=dotted',
} as const satisfies Record<DepKind, string>

/** The graph for Graphviz' `dot`. */
export function renderDot({ nodes, links }: Drawn): string {
  const lines = [
    'digraph tissue {',
    '  rankdir=LR',
    '  node [shape=box, style="rounded,filled", fontname="sans-serif"]',
  ]
  for (const node of nodes) {
    const [fill, ink] = colours[node.state]
    const label = quoted(labelOf(node).join('\n'))
    lines.push(`  ${quoted(node.id)} [label=${label}, fillcolor="${fill}", color="${ink}", fontcolor="${ink}"]`)
  }
  for (const { kind, from, to } of links) {
    const label = isPlain(kind) ? '' : `, label=${quoted(kind)}`
    lines.push(`  ${quoted(from)} -> ${quoted(to)} [${dotStyles[kind]}${label}]`)
  }
  return `${[...lines, '}'].join('\n')}\n`
}

/** The graph for Mermaid, as Markdown pages show it. */
export function renderMermaid({ nodes, links }: Drawn): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  const lines = ['flowchart LR']
  for (const node of nodes) {
    const label = labelOf(node).map(entities).join('<br>')
    lines.push(`  ${names.get(node.id)}["${label}"]:::${node.state}`)
  }
  for (const { kind, from, to } of links) {
    const arrow = kind === 'blocks' ? '-->' : kind === 'parent' ? '-.-' : `-. ${kind} .->`
    lines.push(`  ${names.get(from)} ${arrow} ${names.get(to)}`)
  }
  for (const state of new Set(nodes.map((node) => node.state))) {
    const [fill, ink] = colours[state]
    lines.push(`  classDef ${state} fill:${fill},color:${ink},stroke:${ink}`)
  }
  return `${lines.join('\n')}\n`
}

function labelOf({ short, title, by, progress }: GraphNode): string[] {
  const whole = title.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  const characters = [...whole]
  const shown = characters.length > titleLengthMax ? `${characters.slice(0, titleLengthMax - 1).join('')}…` : whole
  const marks = [
    by === undefined ? '' : `@${by.replaceAll(/[\s\p{Cc}]+/gu, ' ')}`,
    progress ? renderProgress(progress) : '',
  ]
  return [short, shown, marks.filter((mark) => mark !== '').join('  ')].filter((line) => line !== '')
}

function isPlain(kind: DepKind): boolean {
  return kind === 'blocks' || kind === 'parent'
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

/** Mermaid's own escape: every sign that could mean something to it or to HTML by its number. */
function entities(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N} .,:/@_…-]/gu, (sign) => `#${sign.codePointAt(0)};`)
}
