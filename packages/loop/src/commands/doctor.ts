import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes } from '@switchyard/ground/failure'
import { locateStore } from '@switchyard/topic'
import { examineCaller } from '@switchyard/topic/examine/caller'
import { type Finding, orBad, renderFinding } from '@switchyard/topic/examine/finding'
import { type Examined, examineHosts } from '../doctor/hosts.ts'
import { examinePrograms } from '../doctor/programs.ts'
import { proveHooks } from '../doctor/prove-hooks.ts'
import { examineBus, examineConfig, examineLeftovers } from '../doctor/repository.ts'

/** `loop doctor`: whether all that loop needs is there and works, the hooks above all. Exits 1 when something is bad. */
export const doctor = defineVerb({
  summary: 'Find out whether hooks, settings and programs are as loop needs them',
  flags: { fix: { type: 'boolean', summary: 'Renew the hooks of an earlier version' } },
  examples: ['loop doctor', 'loop doctor --fix'],
  async run({ cwd, env, flags, now, output }) {
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
    const visit = { tool: 'loop', cwd, env, now: now(), fix: flags.fix, commonDir: store.repository?.commonDir }
    const hosts: Examined[] = []
    const findings = [
      ...(await examinePrograms({ cwd, env })),
      ...(await orBad('loop.json', () => examineConfig(store, { cwd, env }))),
      ...(await orBad('bus', () => examineBus({ cwd, env }))),
      ...(store.repository === undefined ? [] : await orBad('leftovers', () => examineLeftovers({ cwd, env, now }))),
      ...(await orBad('hosts', async () => {
        hosts.push(...(await examineHosts(visit)))
        return hosts.flatMap((host) => host.findings)
      })),
      ...(await proofs(hosts, env)),
      ...examineCaller(env, store),
    ]
    output.list(findings, { text: (finding) => renderFinding(finding, output.color), id: ({ check }) => check })
    return findings.some(({ state }) => state === 'bad') ? exitCodes.failed : undefined
  },
})

/** One host after the other: each proof starts a process for each hook. */
async function proofs(
  hosts: readonly Examined[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { host, isInstalled } of hosts) if (isInstalled) found.push(await proveHooks(host, env))
  return found
}
