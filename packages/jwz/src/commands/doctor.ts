import { defineVerb, exitCodes } from '@switchyard/cli-kit'
import { examineCaller } from '../doctor/caller.ts'
import { type Finding, orBad } from '../doctor/finding.ts'
import { examineLeftovers } from '../doctor/leftovers.ts'
import { examineLogs } from '../doctor/logs.ts'
import { examinePlace } from '../doctor/place.ts'
import { storeFlag } from '../flags.ts'
import { type Look, lookOf, paint } from '../render.ts'
import { openStore } from '../store.ts'

const styles = { ok: 'green', fixed: 'green', warn: 'yellow', bad: 'magenta' } as const

function renderFinding({ check, state, detail, advice }: Finding, look: Look): string {
  const line = `${paint(state.padEnd(5), styles[state], look)} ${check}: ${detail}`
  return advice === null ? line : `${line}\n      ${advice}`
}

/** `jwz doctor`: what is wrong with the bus here, and what to do about it. Exits 1 when something is bad. */
export const doctor = defineVerb({
  summary: 'Find out what is wrong with the bus here, and mend what can be mended',
  flags: {
    fix: { type: 'boolean', summary: 'Mend what was left behind by killed processes; no message is touched' },
    ...storeFlag,
  },
  examples: ['jwz doctor', 'jwz doctor --fix'],
  async run({ cwd, env, flags, now, output }) {
    const { fix } = flags
    const store = openStore({ cwd, env, flags })
    const findings = [
      ...(await orBad('store', () => examinePlace(store, { cwd, fix }))),
      ...(await orBad('logs', () => examineLogs(store, now()))),
      ...(await orBad('leftovers', () => examineLeftovers(store, { now: now(), fix }))),
      ...examineCaller(env, store),
    ]
    const look = lookOf(output, now())
    output.list(findings, { text: (finding) => renderFinding(finding, look), id: ({ check }) => check })
    return findings.some(({ state }) => state === 'bad') ? exitCodes.failed : undefined
  },
})
