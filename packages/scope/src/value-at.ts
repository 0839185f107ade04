import { isPlainObject } from '@switchyard/ground/plain-object'

/** The value within another that a path of keys leads to, by own keys only; undefined where it leads nowhere. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)
