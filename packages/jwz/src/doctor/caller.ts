import type { Context } from '@switchyard/cli-kit'
import { identify } from '@switchyard/topic'
import { type Finding, ok, warn } from './finding.ts'

/** Looks at who calls, and at what in their environment costs or surprises. */
export function examineCaller(env: Context['env']): Finding[] {
  const name = identify({ env })
  const findings =
    env['JWZ_AGENT'] === undefined
      ? [ok('name', `you are ${name} in this terminal session; export JWZ_AGENT=NAME to choose`)]
      : [ok('name', `you are ${name}, as JWZ_AGENT says`)]
  if (env['NODE_EXTRA_CA_CERTS'])
    findings.push(
      warn('start-up', 'NODE_EXTRA_CA_CERTS makes every start of Node three times as slow', 'unset it for these tools'),
    )
  return findings
}
