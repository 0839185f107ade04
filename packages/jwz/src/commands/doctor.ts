import { type Call, defineVerb } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { examineCaller } from '@switchyard/topic/examine/caller'
import { orBad, renderFinding } from '@switchyard/topic/examine/finding'
import { examineLeftovers } from '@switchyard/topic/examine/leftovers'
import { examineLogs } from '../doctor/logs.ts'
import { examinePlace } from '../doctor/place.ts'
import { reportLogs } from '../doctor/report.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

const spec = {
  summary: 'Find out what is wrong with the bus here, and mend what can be mended',
  args: [
    { name: 'pattern', summary: 'Only the logs of these topics: issue:* or a name', optional: true, complete: 'topic' },
  ],
  flags: {
    fix: { type: 'boolean', summary: 'Mend what was left behind by killed processes; no message is touched' },
    log: { type: 'boolean', summary: 'Only count what is in each log; exit 7 when one is damaged' },
    ...storeFlag,
  },
  examples: ['jwz doctor', 'jwz doctor --fix', "jwz doctor 'issue:*'", 'jwz doctor --log --json'],
} as const

/**
 * `jwz doctor`: what is wrong with the bus here, and what to do about it. Exits 1 when something is bad. With `--log`
 * or topics it counts what is in their logs, and exits 7 when one is damaged.
 */
export const doctor = defineVerb({
  ...spec,
  async run(call) {
    const { args, flags, output } = call
    if (!flags.log && args.pattern === undefined) return examine(call)
    if (flags.fix) {
      throw new Failure('usage', 'expected --fix without --log and topics', { hint: 'it changes no line of a log' })
    }
    return reportLogs(openStore(call), args.pattern, output)
  },
})

async function examine(call: Call<typeof spec>): Promise<ExitCode | undefined> {
  const { cwd, env, flags, now, output } = call
  const store = openStore(call)
  const visit = { tool: 'jwz', cwd, now: now(), fix: flags.fix }
  const findings = [
    ...(await orBad('store', () => examinePlace(store, visit))),
    ...(await orBad('logs', () => examineLogs(store, visit.now))),
    ...(await orBad('leftovers', () => examineLeftovers(store.path, visit))),
    ...(await orBad('name', () => examineCaller(env, store))),
  ]
  output.list(findings, { text: (finding) => renderFinding(finding, output.color), id: ({ check }) => check })
  return findings.some(({ state }) => state === 'bad') ? exitCodes.failed : undefined
}
