import { resolve } from 'node:path'
import type { UserRules } from './user-rule.ts'

/** The rules of the user at a path from the working folder; none without one. What reads them is loaded then only. */
export async function userRulesAt(path: string | undefined, cwd: string): Promise<UserRules> {
  if (path === undefined) return { rules: [], settings: [] }
  const { readUserRules } = await import('./read-user-rules.ts')
  return readUserRules(resolve(cwd, path), path)
}
