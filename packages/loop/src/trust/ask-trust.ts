// Where settings wait for trust and a command needs them, whoever is at the terminal is asked.
import { isatty } from 'node:tty'
import type { Verb } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import { locateStore } from '@switchyard/topic'
import { configName, readConfigText } from '../config/config-text.ts'
import { configRootOf, parseConfig } from '../config/read-config.ts'
import { keepTrust } from '../config/trusted.ts'
import { howToTrust, waitingWords } from '../config/waiting-words.ts'
import { waitingSettings } from '../config/withhold.ts'
import { whyAgents } from './agent-here.ts'

type Caller = Parameters<Verb['run']>[0]

/** The verb; where it fails for want of trust, and the person gives it, it begins anew. */
export function askingTrust(verb: Verb): Verb {
  return {
    ...verb,
    async run(call) {
      try {
        return await verb.run(call)
      } catch (error) {
        if (!wantsTrust(error) || !asks(call)) throw error
        return verb.run(call)
      }
    },
  }
}

/** By its words: each file of a built tool has its own copy of the class. */
const wantsTrust = (error: unknown) => isFailure(error) && error.hint === howToTrust

const answerBytesMax = 1000

/** Shows what would take effect and asks; what was shown is trusted, also where the file changes meanwhile. */
function asks({ cwd, env, now, input, output }: Caller): boolean {
  if (output.mode === 'quiet' || !input.isTerminal || !isatty(2)) return false
  if (whyAgents({ env, cwd, now }) !== undefined) return false
  const root = configRootOf(locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' }))
  const text = readConfigText(root)
  if (text === undefined) return false
  const waiting = waitingSettings(parseConfig(text, configName))
  output.note(`${configName} ${waitingWords(waiting.map(([name]) => name))}:`)
  for (const [name, value] of waiting) output.note(`  ${name}: ${JSON.stringify(value)}`)
  output.note('Trust this content? [y/N]')
  const [line] = firstOf(input.lines(answerBytesMax))
  if (!/^\s*y(?:es)?\s*$/i.test(line?.toString('utf8') ?? '')) return false
  keepTrust(root, text, { env, now: now() })
  return true
}

function firstOf<T>(values: Iterable<T>): T[] {
  for (const value of values) return [value]
  return []
}
