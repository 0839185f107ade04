// The logs of sessions: what kills left in them is counted, anything else that cannot be read is named with its line.
import type { Output } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { type ExitCode, exitCodes } from '@switchyard/ground/failure'
import { checkLog, type LogCheck } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { bad, type Finding, ok } from '@switchyard/topic/examine/finding'
import { allIds } from '../session/read-session.ts'
import { eventsFile } from '../session/scope-store.ts'

/** Looks at every line of the log of every session. */
export function examineLogs(store: Store): Finding[] {
  const checks = allIds(store).map((id) => checkLog(eventsFile(store, id)))
  const faults = checks.flatMap(({ corrupt }) =>
    corrupt.map(({ file, line, reason }) =>
      bad('logs', `${file}:${line}: ${reason}`, 'readers skip it; no line is touched'),
    ),
  )
  if (faults.length > 0) return faults
  const torn = checks.reduce((sum, check) => sum + check.torn, 0)
  const cut = torn === 0 ? '' : `; ${torn} cut off by a kill, which is harmless`
  return [ok('logs', `${counted(checks.length, 'session')}, every line whole${cut}`)]
}

/** Prints what is in each log. Exits 7 when one is damaged. */
export function reportLogs(store: Store, output: Output): ExitCode | undefined {
  const reports = allIds(store).map((id) => ({ session: id, ...checkLog(eventsFile(store, id)) }))
  output.list(reports, { text: renderReport, id: ({ session }) => session, empty: `no sessions in ${store.path}` })
  return reports.every(({ corrupt }) => corrupt.length === 0) ? undefined : exitCodes.corrupt
}

const renderReport = ({ session, records, torn, duplicates, corrupt }: LogCheck & { readonly session: string }) =>
  [
    `${session}: ${counted(records, 'record')}, ${torn} torn, ${duplicates} repeated, ${corrupt.length} corrupt`,
    ...corrupt.map(({ file, line, reason }) => `  ${file}:${line}: ${reason}`),
  ].join('\n')
