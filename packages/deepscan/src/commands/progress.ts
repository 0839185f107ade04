import { type Call, defineVerb } from '@switchyard/cli-kit'
import { interruptedCode } from '@switchyard/cli-kit/interrupted-code'
import type { ScanEvent } from '../store/event-schema.ts'
import { sessionFlag } from '../store/flags.ts'
import { foldProgress, foldStatus } from '../store/fold-status.ts'
import { openScan } from '../store/open-scan.ts'
import { readResults } from '../store/read-records.ts'
import { renderBar, renderEvent, renderProgress } from '../store/render-progress.ts'
import { watchEvents } from '../store/watch-events.ts'

const resultsShown = 3
const drawEveryMs = 200

const spec = {
  summary: 'Show how far the analysis of a scan is, or watch it',
  flags: { ...sessionFlag, watch: { type: 'boolean', short: 'w', summary: 'Follow it to its end' } },
  examples: ['deepscan progress', 'deepscan progress --watch'],
} as const

/** `deepscan progress`: how far a scan is; with --watch what happens until nobody works on it any more. */
export const progress = defineVerb({
  ...spec,
  async run(call) {
    const open = openScan(call.env, call.cwd, call.flags.session)
    if (call.flags.watch) return watch(call)
    const results = [...readResults(open)].slice(-resultsShown)
    const status = foldStatus(open)
    call.output.one(status, { text: () => renderProgress(status, results), id: ({ scan }) => scan })
  },
})

/** On a terminal one line that changes, and findings above it; else a line an event. */
async function watch({ env, cwd, flags, now, output, interrupted }: Call<typeof spec>): Promise<number | undefined> {
  const open = openScan(env, cwd, flags.session)
  const signal = interrupted()
  const isLive = output.mode === 'text' && output.isTerminal
  const shown = { text: renderEvent, id: ({ id }: ScanEvent) => id }
  let drawn = 0
  const draw = (isLast = false) => {
    if (!isLive || (!isLast && now() - drawn < drawEveryMs)) return
    output.raw(`\r\u001b[K${renderBar(foldProgress(open), output.columns ?? 80)}`)
    drawn = now()
  }
  draw()
  for await (const event of watchEvents(open, signal)) {
    if (!isLive) output.each(event, shown)
    else if (event.type === 'finding') output.raw(`\r\u001b[K${renderEvent(event)}\n`)
    draw()
  }
  draw(true)
  if (isLive) output.raw('\n')
  return signal.aborted ? interruptedCode(signal) : undefined
}
