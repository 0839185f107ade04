import { findProgram } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { type Host, hostNamed, hosts } from '@switchyard/wire/host'
import type { Where } from './places.ts'
import { type Part, parts } from './setup-schema.ts'

/** Which parts are meant: words with commas between them; without any, those of `others`. Exits 2 for another word. */
export function partsNamed(only: string | undefined, others: readonly Part[]): readonly Part[] {
  if (only === undefined) return others
  return only.split(',').map((word) => {
    const part = parts.find((one) => one === word.trim())
    if (part === undefined)
      throw new Failure('usage', `expected --only ${parts.join(',')}, got ${JSON.stringify(word)}`)
    return part
  })
}

/** The agents by their names. Exits 2 for one that is not known. */
export const agentsNamed = (names: readonly string[]): readonly Host[] =>
  names.map((name) => {
    const host = hostNamed(name)
    if (host === undefined) throw new Failure('usage', `expected --agent ${hosts.join(', ')}, got ${name}`)
    return host
  })

/** The agents that are on PATH. Exits 3 when none is. */
export function agentsHere(where: Where): readonly Host[] {
  const found = hosts.filter((host) => findProgram(host, where) !== undefined)
  if (found.length > 0) return found
  throw new Failure('notFound', `expected ${hosts.join(', ')} on PATH, there is none`, {
    hint: 'name one with --agent',
  })
}
