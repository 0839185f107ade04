// Everything that is wrong with a document at once, so that it is mended in one go.
import { Failure } from '@switchyard/cli-kit/failure'

const faultsShownMax = 20

type SchemaFault = { readonly path: readonly PropertyKey[]; readonly message: string }

/** What a schema has against a document, each with its place: `issues[1].title: …`. */
export function namedFaults(faults: readonly SchemaFault[]): string[] {
  return faults.map(({ path, message }) => {
    const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
    return place === '' ? message : `${place.replace(/^\./, '')}: ${message}`
  })
}

/** Refuses what has faults (exit 2), naming them; `what` was expected. */
export function refuseFaults(what: string, faults: readonly string[]): void {
  if (faults.length === 0) return
  const more = faults.length > faultsShownMax ? `; ${faults.length - faultsShownMax} more` : ''
  const message = `expected ${what}: ${faults.slice(0, faultsShownMax).join('; ')}${more}`
  throw new Failure('usage', message, { hint: 'nothing was written' })
}
