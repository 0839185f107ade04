import type { FlagSpec, VerbSpec } from './verb.ts'

/** The flags of a verb that help and completion list: all but those for programs. */
export function listedFlags({ flags = {} }: Pick<VerbSpec, 'flags'>): [name: string, flag: FlagSpec][] {
  return Object.entries(flags).filter(([, flag]) => !flag.forPrograms)
}
