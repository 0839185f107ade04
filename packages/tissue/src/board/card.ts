// An issue in a column of the board: one line, its title in the room that what is known of it leaves.
import { renderSpan } from '@switchyard/cli-kit/age'
import { clip, inCells } from '@switchyard/cli-kit/cells'
import { cellsOfLine, clipLine, fitLine, type Line, type Span, type Style } from '@switchyard/cli-kit/terminal/styled'
import { isOver } from '../issue/issue.ts'
import type { Issue } from '../schema/schemas.ts'

/** A title is worth more than what stands behind it. */
const titleCellsMin = 8
/** The room of the cursor, the id and the priority. */
const beginCells = 10
/** From here on there is room for more than the first mark. */
const wideCells = 38
const nameCellsMax = 12
const markCellsMin = 5
const priorityStyles: readonly (Style | undefined)[] = [undefined, 'red', 'yellow']

/** The card as a line of exactly `cells` cells. `now` is milliseconds since 1970. */
export function renderCard(issue: Issue, look: { isChosen: boolean; now: number; cells: number }): Line {
  const { isChosen, now, cells } = look
  const { short, priority, title } = issue
  const left: Line = [
    { text: isChosen ? '> ' : '  ' },
    { text: `${short.slice(short.lastIndexOf('-') + 1)} `, style: 'dim' },
    { text: `P${priority} `, style: priorityStyles[priority] },
    { text: title },
  ]
  const right = marksWithin(issue, now, cells)
  const line = [...fitLine(left, cells - cellsOfLine(right)), ...right]
  return isChosen ? line.map(({ text }) => ({ text, style: 'inverse' })) : line
}

function marksWithin(issue: Issue, now: number, cells: number): Span[] {
  const marks = marksOf(issue, now)
  const age: Span = { text: ` ${renderSpan(Math.max(0, Math.floor((now - lastAt(issue)) / 1000)))}`, style: 'dim' }
  // Behind what is left of a lease a second duration would only puzzle.
  const wanted = cells < wideCells ? marks.slice(0, 1) : issue.claim ? marks : [...marks, age]
  const room = cells - beginCells - titleCellsMin
  while (cellsOfLine(wanted) > room && wanted.length > 1) wanted.pop()
  return room < markCellsMin ? [] : clipLine(wanted, room)
}

/** What is to be known at a glance, the most important first. */
function marksOf({ claim, due_at, defer_until, progress, blocked_by, status }: Issue, now: number): Span[] {
  const done: Span[] = progress ? [{ text: ` ${progress.done}/${progress.total}`, style: 'blue' }] : []
  if (isOver(status)) return done
  const marks: Span[] = []
  if (claim) {
    const left = claim.until - now
    marks.push({
      text: ` ${clip(inCells(claim.by), nameCellsMax)} ${leaseText(left)}`,
      style: left > 0 ? 'cyan' : 'red',
    })
  }
  if (due_at !== undefined && due_at <= now) marks.push({ text: ' overdue', style: 'red' })
  if (defer_until !== undefined && defer_until > now)
    marks.push({ text: ` in ${leaseText(defer_until - now)}`, style: 'yellow' })
  if (blocked_by.length > 0) marks.push({ text: ` waits ${blocked_by.length}`, style: 'magenta' })
  return [...marks, ...done]
}

/** Since when an issue is over, or there. */
function lastAt({ closed_at, created_at }: Issue): number {
  return closed_at ?? created_at
}

/** What is left of a time, in the unit that says enough. */
function leaseText(leftMs: number): string {
  if (leftMs <= 0) return 'expired'
  const minutes = Math.ceil(leftMs / 60_000)
  if (minutes < 100) return `${minutes}m`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)}h` : `${Math.round(minutes / 1440)}d`
}
