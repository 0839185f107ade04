import { defineVerb } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { exitCodes } from '@switchyard/ground/failure'
import { locateStore } from '@switchyard/topic'
import { examineCaller } from '@switchyard/topic/examine/caller'
import { type Finding, ok, orBad, renderFinding, warn } from '@switchyard/topic/examine/finding'
import { type Examined, examineHosts } from '../doctor/hosts.ts'
import { examineLeftovers } from '../doctor/leftovers.ts'
import { examinePrograms } from '../doctor/programs.ts'
import { proveHooks } from '../doctor/prove-hooks.ts'
import { examineBus, examineConfig } from '../doctor/repository.ts'

/**
 * `loop doctor`: whether all that loop needs is there and works, the hooks above all, and what crashes left. Exits 1
 * when something is bad.
 */
export const doctor = defineVerb({
  summary: 'Find out whether all is as loop needs it, and clean up after crashes',
  flags: {
    fix: { type: 'boolean', summary: 'End what crashes left, keep its work, and renew hooks of an earlier version' },
    as: { type: 'string', value: 'NAME', summary: 'With --fix: who closes issues that have landed' },
  },
  examples: ['loop doctor', 'loop doctor --fix'],
  async run({ cwd, env, flags, now, output }) {
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
    const visit = { tool: 'loop', cwd, env, now: now(), fix: flags.fix, commonDir: store.repository?.commonDir }
    const note = (text: string) => output.note(`loop: ${text}`)
    const hosts: Examined[] = []
    const findings = [
      ...(await examinePrograms({ cwd, env })),
      ...(await orBad('loop.json', () => examineConfig(store, { cwd, env }))),
      ...(await orBad('bus', () => examineBus({ cwd, env }))),
      ...(store.repository === undefined
        ? [notInRepository(flags.fix)]
        : await orBad('leftovers', () => examineLeftovers({ cwd, env, now, ...flags, note }))),
      ...(await orBad('hosts', async () => {
        hosts.push(...(await examineHosts(visit)))
        return hosts.flatMap((host) => host.findings)
      })),
      ...(await proofs(hosts, env)),
      ...(await orBad('name', () => examineCaller(env, store))),
    ]
    const text = (finding: Finding) => renderFinding({ ...finding, detail: inRow(finding.detail) }, output.color)
    output.list(findings, { text, id: ({ check }) => check })
    return findings.some(({ state }) => state === 'bad') ? exitCodes.failed : undefined
  },
})

/** Whoever came to have something ended is told that it was not looked for. */
function notInRepository(fix: boolean): Finding {
  const detail = 'there is none here, so what crashes left is not looked for'
  return fix ? warn('repository', detail, 'call it in the repository where the runs were') : ok('repository', detail)
}

/** One host after the other: each proof starts a process for each hook. */
async function proofs(
  hosts: readonly Examined[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { host, isInstalled } of hosts) if (isInstalled) found.push(await proveHooks(host, env))
  return found
}
