import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { viewsOf } from '../issue/issue.ts'
import { oneLine } from '../render/marks.ts'
import type { Conflict } from '../schema/schemas.ts'
import { look, storeFlag } from '../session/session.ts'
import { readEvents } from '../store/store.ts'
import { firstOf, limitFlag } from '../text/limit.ts'
import { timeText } from '../text/time-text.ts'
import { findConflicts, signaturesOf } from '../view/conflicts.ts'

/** `tissue conflicts`: what two clones wrote without having seen each other, and claims that two made. */
export const conflicts = defineVerb({
  summary: 'List what two clones wrote without having seen each other',
  flags: {
    ...limitFlag(50),
    ...storeFlag,
  },
  examples: ['tissue conflicts', 'tissue conflicts --quiet'],
  run(call) {
    const { flags, output } = call
    const { store, ledger } = look(call)
    const found = findConflicts(ledger, viewsOf(ledger), (ids) => signaturesOf(readEvents(store.log), ids))
    output.list(firstOf(output, found, flags.limit), { ...shownConflict, empty: 'no conflicts' })
    return undefined
  },
})

const valueLengthMax = 60

/** How a conflict is shown: what it is about, both sides, and how to end it. */
const shownConflict: Shown<Conflict> = { text: renderConflict, id: ({ issue }) => issue }

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
