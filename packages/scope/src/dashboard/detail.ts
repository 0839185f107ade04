// What the dashboard tells of the chosen session beside its row, most important first.
import { renderSpan } from '@switchyard/cli-kit/age'
import { wrap } from '@switchyard/cli-kit/cells'
import type { Line } from '@switchyard/cli-kit/terminal/styled'
import { loopLine } from '../render/session-line.ts'
import type { SessionView } from '../session/session-schema.ts'

/** A gate or a criterion, and whether it held at the last check; undefined where nobody has said. */
export type Mark = { readonly text: string; readonly passed: boolean | undefined }

export type Detail = {
  readonly id: string
  readonly result: string | null
  readonly gates: readonly Mark[]
  readonly criteria: readonly Mark[]
  /** The last ones, the newest first. */
  readonly events: readonly { readonly at: number; readonly text: string }[]
  /** What git says has changed in its folder, a line a file and one in all; empty where there is nothing. */
  readonly diff: readonly string[]
  readonly branch: string | undefined
}

const eventsBeforeDiff = 3

/** Lines of at most `cells`; what does not fit on a screen stands last. */
export function detailLines(view: SessionView, detail: Detail | undefined, now: number, cells: number): Line[] {
  const known = detail?.id === view.id ? detail : undefined
  const text = (words: string): Line[] => wrap(words, cells).map((line) => [{ text: line }])
  const { result = null, gates = [], criteria = [], events = [], diff = [] } = known ?? {}
  const told = events.map(
    ({ at, text: words }): Line => [
      { text: `${renderSpan(Math.max(0, Math.floor((now - at) / 1000))).padStart(4)}  `, style: 'dim' },
      { text: words },
    ],
  )
  return [
    ...text(placeOf(view, known)),
    ...(view.needs_input === null ? [] : text(`asks: ${view.needs_input}`).map(withStyle('yellow'))),
    ...(view.exit_reason === null ? [] : text(`reason: ${view.exit_reason}`)),
    ...(view.loop === null ? [] : text(`loop: ${loopLine(view.loop)}`)),
    ...[...gates, ...criteria].map(markLine),
    ...told.slice(0, eventsBeforeDiff),
    ...diff.map((line): Line => [{ text: line, style: 'cyan' }]),
    ...(result === null ? [] : [[{ text: 'result:', style: 'bold' as const }], ...text(result.trimEnd())]),
    ...told.slice(eventsBeforeDiff),
  ]
}

function placeOf(
  { id, alias, task, agent, model, cwd, tokens, cost_usd }: SessionView,
  known: Detail | undefined,
): string {
  const spent = [
    ...(tokens === null ? [] : [`${tokens.input_tokens + tokens.output_tokens} tokens`]),
    ...(cost_usd === null ? [] : [`$${cost_usd.toFixed(2)}`]),
  ]
  const branch = known?.branch === undefined ? [] : [`on ${known.branch}`]
  const who = model === null ? agent : `${agent} ${model}`
  const name = alias === null ? id : `${id} (${alias})`
  return `${name}  ${task}\n${[who, `in ${cwd}`, ...branch, ...spent].join(' · ')}`
}

function markLine({ text, passed }: Mark): Line {
  if (passed === undefined) return [{ text: `  ·  ${text}`, style: 'dim' }]
  return [{ text: passed ? '  ✓  ' : '  ✗  ', style: passed ? 'green' : 'red' }, { text }]
}

const withStyle =
  (style: 'yellow') =>
  (line: Line): Line =>
    line.map(({ text }) => ({ text, style }))
