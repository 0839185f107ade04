/** Says of a value whether it fits a schema. */
export type Check<Value> = (value: unknown) => value is Value

/** As much of a zod schema as it takes to check by it. */
type Schema<Value> = {
  readonly _zod: { readonly output: Value }
  safeParse(value: unknown): { readonly success: boolean }
}

/**
 * A check by a zod schema that does not change values. In a file `NAME.check.ts`, which exports nothing but such checks and
 * JSON, the build puts in its place what `packages/build/compile-check.mjs` makes of the schema: hot verbs do without zod.
 */
export function checkOf<Value>(schema: Schema<Value>): Check<Value> {
  const check: Check<Value> = (value): value is Value => schema.safeParse(value).success
  return Object.assign(check, { schema })
}

/** A check for each field of a shape. */
export function checksOf(shape: Readonly<Record<string, Schema<unknown>>>): Readonly<Record<string, Check<unknown>>> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, checkOf(schema)]))
}
