/**
 * What a name stands for: a member of a module (`name` is `''` for the module itself), a global (`module` is null),
 * something of this file (`shadowed`), or nothing that can be told.
 */
export type Resolved = { module: string | null; name: string } | 'shadowed' | undefined

/** The dotted name, such as `child_process.exec` or `eval`; nothing for a name of this file. */
export function qualifiedName(resolved: Resolved): string | undefined {
  if (resolved === undefined || resolved === 'shadowed') return undefined
  if (resolved.module === null) return resolved.name
  return resolved.name === '' ? resolved.module : `${resolved.module}.${resolved.name}`
}

/** What a member of something is. */
export function memberOf(resolved: Resolved, property: string): Resolved {
  if (resolved === undefined || resolved === 'shadowed') return resolved
  const { module, name } = resolved
  if (module === null && globalObjects.has(name)) return { module, name: property }
  if (property === 'default' && name === '') return resolved
  return { module, name: name === '' ? property : `${name}.${property}` }
}

const globalObjects = new Set(['globalThis', 'window', 'global', 'self', 'builtins', '__builtins__'])
