// The flags of a verb as the fields of a JSON object: what `batch` and `new --plan` read is what the command line takes.
import type { FlagSpec } from '@switchyard/cli-kit'
import { z } from 'zod'

/** A text, or several: what a flag is that may be given more than once. */
export const names = z.union([z.string().min(1), z.array(z.string().min(1))])
const entries = z.record(z.string().min(1), z.string().nullable())
const filled = z.string().min(1)

type Flags = Readonly<Record<string, FlagSpec>>
type SchemaOf<F extends FlagSpec> = F extends { type: 'boolean' }
  ? z.ZodBoolean
  : F extends { type: 'integer' }
    ? z.ZodInt
    : F extends { type: 'list'; value: 'NAME=VALUE' }
      ? typeof entries
      : F extends { type: 'list' }
        ? typeof names
        : z.ZodString
type Underscored<S> = S extends `${infer A}-${infer B}` ? `${A}_${Underscored<B>}` : S
type InputShape<T extends Flags> = { [K in keyof T as Underscored<K>]: z.ZodOptional<SchemaOf<T[K]>> }

/** The fields that these flags are, with `_` for `-`. Lists take one text too, and NAME=VALUE is an object. */
export function inputShape<T extends Flags>(flags: T): InputShape<T> {
  const shape = Object.entries(flags).map(([name, flag]) => ({
    [name.replaceAll('-', '_')]: schemaOf(flag).optional().describe(flag.summary),
  }))
  return Object.assign({}, ...shape)
}

function schemaOf(flag: FlagSpec) {
  switch (flag.type) {
    case 'boolean':
      return z.boolean()
    case 'integer':
      return z.int().min(flag.min).max(flag.max)
    case 'list':
      return flag.value === 'NAME=VALUE' ? entries : names
    case 'string':
      // Only what people write may be empty: a name, a time or an id cannot.
      return flag.value === 'TEXT' ? z.string() : filled
    default:
      return filled
  }
}
