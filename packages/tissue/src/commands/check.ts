import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes } from '@switchyard/ground/failure'
import { checkStore } from '../doctor/check.ts'
import { storeFlag, storeOf } from '../session/session.ts'

/**
 * `tissue check`: counts what is in the log. Exits 7 when a line is corrupt or an event has two contents; a torn line
 * is only counted.
 */
export const check = defineVerb({
  summary: 'Check every line of the log',
  flags: storeFlag,
  examples: ['tissue check', 'tissue check --json'],
  run(call) {
    const { output } = call
    const report = checkStore(storeOf(call).log)
    const { path, lines, events, issues, torn, duplicates, foreign, unknown, void: lost, corrupt } = report
    const text =
      `${path}: ${lines} lines, ${events} events, ${issues} issues; ${torn} torn, ${duplicates} repeated, ` +
      `${lost} void, ${unknown} of a later version, ${foreign} no events, ${corrupt.length} corrupt`
    output.one(report, { text: () => text, id: () => path })
    for (const { file, line, offset, reason } of corrupt) output.note(`${file}:${line}: byte ${offset}: ${reason}`)
    return corrupt.length > 0 ? exitCodes.corrupt : undefined
  },
})
