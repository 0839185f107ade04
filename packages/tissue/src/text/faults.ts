// Everything that is wrong with a document at once, so that it is mended in one go.
import { Failure, isFailure } from '@switchyard/ground/failure'

const shownMax = 10

/** What is wrong with one document, gathered before anything is written. */
export type Faults = {
  /** `fault` says where, and what: `line 7 is no JSON object`. */
  readonly add: (fault: string) => void
  /** The value of `read`; undefined, with the fault noted at `place`, when it is refused. */
  readonly collect: <T>(place: string, read: () => T) => T | undefined
  /** Fails as bad input (exit 2), naming the first faults, when there was one. */
  readonly refuse: () => void
}

/** An empty list of faults; `expected` says what the document should have been. */
export function openFaults(expected: string): Faults {
  const shown: string[] = []
  let count = 0
  const add = (fault: string) => {
    count += 1
    if (count <= shownMax) shown.push(fault)
  }
  return {
    add,
    collect: (place, read) => {
      try {
        return read()
      } catch (error) {
        if (!isFailure(error)) throw error
        add(`${place}: ${error.message}`)
        return undefined
      }
    },
    refuse: () => {
      if (count === 0) return
      const more = count > shownMax ? `; ${count - shownMax} more` : ''
      throw new Failure('usage', `expected ${expected}: ${shown.join('; ')}${more}`, { hint: 'nothing was written' })
    },
  }
}

type SchemaFault = { readonly path: readonly PropertyKey[]; readonly message: string }

/** What a schema has against a document, each with its place: `issues[1].title: …`. */
export function namedFaults(faults: readonly SchemaFault[]): string[] {
  return faults.map(({ path, message }) => {
    const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
    return place === '' ? message : `${place.replace(/^\./, '')}: ${message}`
  })
}
