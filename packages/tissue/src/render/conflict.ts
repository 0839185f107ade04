// What two clones disagree on, for people.
import type { Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import type { Conflict } from '../schema/schemas.ts'
import { timeText } from '../text/time-text.ts'
import { oneLine } from './marks.ts'

const valueLengthMax = 60

/** How a conflict is shown: what it is about, both sides, and how to end it. */
export const shownConflict: Shown<Conflict> = { text: renderConflict, id: ({ issue }) => issue }

function renderConflict({ short, title, field, sides, settle }: Conflict): string {
  const lines = sides.map(({ value, by, at, wins }) => {
    const said = field === 'claim' ? '' : `${quoted(value)}  `
    return `  ${wins ? 'wins' : 'lost'}  ${said}${by}  ${timeText(at)}`
  })
  const end = settle === null ? '  who lost has to stop' : `  settle with: ${settle}`
  return [`${short}  ${oneLine(title)}: ${field}`, ...lines, end].map(inRow).join('\n')
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length <= valueLengthMax ? text : `${text.slice(0, valueLengthMax)}…`
}
