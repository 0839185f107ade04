import { whoAmI } from '../identity.ts'
import type { Store } from '../store.ts'
import { type Finding, ok, warn } from './finding.ts'

/** Looks at who calls, and at what in their environment costs or surprises. */
export function examineCaller(env: Readonly<Record<string, string | undefined>>, store: Store | undefined): Finding[] {
  const { name, source } = whoAmI({ env, store })
  const reasons = {
    '--as': 'as --as says',
    JWZ_AGENT: 'as JWZ_AGENT says',
    saved: 'as it is saved for this session',
    agent: 'in this session of an agent; export JWZ_AGENT=NAME to choose',
    session: 'in this terminal session; export JWZ_AGENT=NAME to choose',
  }
  const findings = [
    ok('name', `you are ${name}${source === 'session' || source === 'agent' ? '' : ','} ${reasons[source]}`),
  ]
  if (env['NODE_EXTRA_CA_CERTS'])
    findings.push(
      warn('start-up', 'NODE_EXTRA_CA_CERTS makes every start of Node three times as slow', 'unset it for these tools'),
    )
  return findings
}
