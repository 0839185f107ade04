// `-` in the place of a text is stdin, behind a flag as well as for an argument.

import { Failure } from '@switchyard/ground/failure'
import { bodyBytesMax, readText } from './body.ts'
import type { Context } from './context.ts'
import type { Parsed } from './parse.ts'

/** More than any text may have; who takes it says what it may have at most. */
const stdinBytesMax = 4 * bodyBytesMax

/**
 * The flags with all of stdin, as it is, in the place of the `-` of the flags called `names`. Exits 2 when stdin is
 * asked for twice: there is only one.
 */
export function withStdin(
  { args, flags }: Parsed,
  names: readonly string[],
  call: Pick<Context, 'cwd' | 'input'>,
): Parsed['flags'] {
  const others = [...Object.values(args), flags['file']].flat().filter((value) => value === '-')
  if (names.length + others.length > 1) {
    const hint = 'there is one stdin; give the others as a text or a file'
    throw new Failure('usage', `expected one - for stdin, got ${names.length + others.length}`, { hint })
  }
  const text = readText('-', call, stdinBytesMax)
  return { ...flags, ...Object.fromEntries(names.map((name) => [name, text])) }
}
