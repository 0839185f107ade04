import { join } from 'node:path'
import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { locateStore } from '@switchyard/topic'
import { configName, readConfigText } from '../config/config-text.ts'
import { configRootOf, parseConfig } from '../config/read-config.ts'
import { dropTrust, isTrusted, keepTrust } from '../config/trusted.ts'
import { withhold } from '../config/withhold.ts'
import { whyAgents } from '../trust/agent-here.ts'
import type { TrustResult } from '../trust/trust-schema.ts'

/**
 * `loop trust`: the person takes what loop.json says as an order, until it says something else. Exits 5 for an agent.
 */
export const trust = defineVerb({
  summary: 'Let the commands of this loop.json run, and what it loosens hold, until it changes',
  flags: { revoke: { type: 'boolean', summary: 'Trust it no more' } },
  examples: ['loop trust', 'loop trust --revoke'],
  async run({ cwd, env, flags, now, output }) {
    const root = configRootOf(locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' }))
    const path = join(root, configName)
    if (flags.revoke) {
      const was = dropTrust(root, env)
      output.one({ path, trusted: false, settings: [] }, shownTrust)
      return was ? exitCodes.done : exitCodes.notFound
    }
    const text = readConfigText(root)
    if (text === undefined) throw new Failure('notFound', `expected ${path}, it is not there`, { hint: 'loop init' })
    const why = whyAgents({ env, cwd, now })
    if (why !== undefined) {
      throw new Failure('conflict', `expected a person to trust ${path}, this is an agent's: ${why}`, {
        hint: 'ask the person to type it in a terminal of their own',
        retryable: false,
      })
    }
    const settings = withhold(parseConfig(text, path)).waits
    if (!isTrusted(root, text, env)) keepTrust(root, text, { env, now: now() })
    output.one({ path, trusted: true, settings: [...settings] }, shownTrust)
    return exitCodes.done
  },
})

const shownTrust: Shown<TrustResult> = {
  text: ({ path, trusted, settings }) => {
    if (!trusted) return `${path}  not trusted`
    return `${path}  trusted: ${settings.length === 0 ? 'nothing in it waits' : settings.join(', ')}`
  },
  id: ({ path }) => path,
}
