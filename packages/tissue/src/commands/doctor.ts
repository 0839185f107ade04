import { type Call, defineVerb } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { examineCaller } from '@switchyard/topic/examine/caller'
import { type Finding, orBad, renderFinding } from '@switchyard/topic/examine/finding'
import { examineLeftovers } from '@switchyard/topic/examine/leftovers'
import { busIfAny } from '../bus/bus.ts'
import { examineBus } from '../doctor/bus.ts'
import { examineCache } from '../doctor/cache.ts'
import { examineIssues } from '../doctor/issues.ts'
import { examineLog } from '../doctor/log.ts'
import { examinePlace } from '../doctor/place.ts'
import { examineProgram } from '../doctor/program.ts'
import { reportLog } from '../doctor/report.ts'
import { storeFlag, storeOf } from '../session/session.ts'

declare const SWITCHYARD_VERSION: string

const spec = {
  summary: 'Find out what is wrong with the store, and mend what can be mended',
  flags: {
    fix: { type: 'boolean', summary: 'Mend what is safe to mend; no line of the log is touched' },
    log: { type: 'boolean', summary: 'Only count what is in the log; exit 7 when it is damaged' },
    ...storeFlag,
  },
  examples: ['tissue doctor', 'tissue doctor --fix', 'tissue doctor --log --json'],
} as const

/**
 * `tissue doctor`: what is wrong with the store here, and what to do about it. Exits 1 when something is bad. With
 * `--log` it counts what is in the log, and exits 7 when that is damaged.
 */
export const doctor = defineVerb({
  ...spec,
  async run(call) {
    const { flags, output } = call
    if (!flags.log) return examine(call)
    if (flags.fix) throw new Failure('usage', 'expected --fix without --log', { hint: 'it changes no line of the log' })
    return reportLog(storeOf(call).log, output)
  },
})

async function examine(call: Call<typeof spec>): Promise<ExitCode | undefined> {
  const { cwd, env, flags, now, output } = call
  const store = storeOf(call)
  const bus = busIfAny(call)
  const visit = { tool: 'tissue', cwd, now: now(), fix: flags.fix }
  const findings: Finding[] = [
    ...(await orBad('store', () => examinePlace(store, visit))),
    ...(await orBad('log', () => examineLog(store, visit))),
    ...(await orBad('issues', () => examineIssues(store))),
    ...(await orBad('cache', () => examineCache(store, visit))),
    ...(await orBad('leftovers', () => examineLeftovers(store.path, visit))),
    ...(await orBad('bus', () => examineBus(bus, store, visit))),
    examineProgram(env, SWITCHYARD_VERSION),
    ...(await orBad('name', () => examineCaller(env, bus))),
  ]
  output.list(findings, { text: (finding) => renderFinding(finding, output.color), id: ({ check }) => check })
  return findings.some(({ state }) => state === 'bad') ? exitCodes.failed : undefined
}
