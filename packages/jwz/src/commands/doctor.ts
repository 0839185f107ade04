import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes } from '@switchyard/ground/failure'
import { examineCaller } from '@switchyard/topic/examine/caller'
import { orBad, renderFinding } from '@switchyard/topic/examine/finding'
import { examineLeftovers } from '@switchyard/topic/examine/leftovers'
import { examineLogs } from '../doctor/logs.ts'
import { examinePlace } from '../doctor/place.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** `jwz doctor`: what is wrong with the bus here, and what to do about it. Exits 1 when something is bad. */
export const doctor = defineVerb({
  summary: 'Find out what is wrong with the bus here, and mend what can be mended',
  flags: {
    fix: { type: 'boolean', summary: 'Mend what was left behind by killed processes; no message is touched' },
    ...storeFlag,
  },
  examples: ['jwz doctor', 'jwz doctor --fix'],
  async run({ cwd, env, flags, now, output }) {
    const store = openStore({ cwd, env, flags })
    const visit = { tool: 'jwz', cwd, now: now(), fix: flags.fix }
    const findings = [
      ...(await orBad('store', () => examinePlace(store, visit))),
      ...(await orBad('logs', () => examineLogs(store, visit.now))),
      ...(await orBad('leftovers', () => examineLeftovers(store.path, visit))),
      ...examineCaller(env, store),
    ]
    output.list(findings, { text: (finding) => renderFinding(finding, output.color), id: ({ check }) => check })
    return findings.some(({ state }) => state === 'bad') ? exitCodes.failed : undefined
  },
})
