// The graph of issues as a picture inside the board's page.

import { clip } from '@switchyard/cli-kit/cells'
import { escapeHtml } from '@switchyard/cli-kit/html-text'
import { boxSize, draw, type Wire } from '../graph/drawing.ts'
import { linksOf } from '../graph/waiting.ts'
import type { Graph } from '../ready/graph.ts'
import type { Dep } from '../schema/event-schema.ts'
import type { GraphNode } from '../schema/graph-schemas.ts'
import { anchorOf, type PageIssues } from './page-issue.ts'

/** In cells, of which a wide character has two: so much of a title stays inside its box. */
const titleCellsMax = 26
const margin = 24

/**
 * The picture: open issues that have links, and what is over beside them; empty when there are none. Each box leads to
 * the panel of its issue.
 */
export function graphHtml(all: PageIssues, { deps, isOver }: Graph): string {
  const waiting = deps.filter(({ kind, from, to }) => {
    return (kind === 'blocks' || kind === 'parent') && all.has(from) && all.has(to) && !(isOver(from) && isOver(to))
  })
  const drawn = thinned(waiting)
  const linked = new Set(drawn.flatMap(({ from, to }) => [from, to]))
  const ids = [...all.keys()].filter((id) => linked.has(id))
  if (ids.length === 0) return ''
  const { width, height, boxes, wires } = draw(ids, drawn)
  const [w, h] = [Math.ceil(width) + 2 * margin, Math.ceil(height) + 2 * margin]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" `,
    `viewBox="${-margin} ${-margin} ${w} ${h}" role="group" aria-label="Issues and what they wait for">\n<defs>`,
    ...['done', 'waits'].map(headSvg),
    '</defs>\n',
    ...wires.map((wire) => wireSvg(wire, isOver(wire.dep.from) || isOver(wire.dep.to))),
    ...boxes.flatMap(({ id, x, y }) => boxSvg(all.get(id)?.node, x, y)),
    '</svg>',
  ].join('')
}

/** Without the lines from a parent to parts that wait for another part of it: the way there shows them. */
function thinned(deps: readonly Dep[]): Dep[] {
  const { parents } = linksOf(deps)
  const after = new Set<string>()
  for (const { kind, from, to } of deps) {
    if (kind !== 'blocks') continue
    for (const parent of parents.get(to) ?? []) if (parents.get(from)?.includes(parent)) after.add(`${parent} ${to}`)
  }
  return deps.filter(({ kind, from, to }) => kind !== 'parent' || !after.has(`${from} ${to}`))
}

function headSvg(name: string): string {
  const shape = '<path d="M0 0L8 4L0 8z"/>'
  const size = 'viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6"'
  return `<marker id="head-${name}" ${size} orient="auto-start-reverse">${shape}</marker>`
}

function wireSvg({ dep, points }: Wire, isDone: boolean): string {
  const [first = [0, 0], ...more] = points
  let path = `M${first.join(' ')}`
  let [x, y] = first
  more.forEach(([nextX, nextY], index) => {
    // Every other stretch passes through a column, where the line has a row of its own.
    const isStraight = index % 2 === 1
    const middle = nextX > x ? (x + nextX) / 2 : x + boxSize.height
    const back = nextX > x ? middle : nextX - boxSize.height
    path += isStraight ? `L${nextX} ${nextY}` : `C${middle} ${y} ${back} ${nextY} ${nextX} ${nextY}`
    x = nextX
    y = nextY
  })
  const kind = dep.kind === 'parent' ? 'parent' : isDone ? 'done' : 'waits'
  const head = kind === 'parent' ? '' : ` marker-end="url(#head-${kind})"`
  return `<path class="${kind}"${head} data-from="${anchorOf(dep.from)}" data-to="${anchorOf(dep.to)}" d="${path}"/>\n`
}

function boxSvg(node: GraphNode | undefined, x: number, y: number): string {
  if (!node) return ''
  const { id, short, title, state, priority, by, progress } = node
  const small = [
    short,
    `P${priority}`,
    by === undefined ? '' : `@${clip(by, 12)}`,
    progress ? `${progress.done}/${progress.total}` : '',
  ]
  return [
    `<a class="box ${state}" href="#${anchorOf(id)}" transform="translate(${x} ${y})">`,
    `<rect width="${boxSize.width}" height="${boxSize.height}" rx="7"/>`,
    `<rect class="edge" width="4" height="${boxSize.height}" rx="2"/>`,
    `<title>${escapeHtml(title)}</title>`,
    `<text class="small" x="13" y="17">${escapeHtml(small.filter((part) => part !== '').join('  '))}</text>`,
    `<text x="13" y="34">${escapeHtml(clip(title, titleCellsMax))}</text></a>\n`,
  ].join('')
}
