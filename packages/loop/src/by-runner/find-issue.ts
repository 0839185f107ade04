import { Failure } from '@switchyard/ground/failure'
import { openPlainChildren } from '../programs/children.ts'
import { openTissue } from '../programs/tissue.ts'
import { type Env, ensureTools, locateStores } from './open-core.ts'

/** The whole id of an issue. Failure `notFound` when the tracker knows none, or several, by that name. */
export async function findIssue(name: string, { cwd, env }: { cwd: string; env: Env }): Promise<string> {
  ensureTools(['git', 'tissue'], { cwd, env })
  const { stores } = locateStores(cwd, env)
  const issue = await openTissue(openPlainChildren({ ...env, ...stores }), cwd).show(name)
  if (issue !== undefined) return issue.id
  throw new Failure('notFound', `expected an issue, tissue knows none as ${name}`, { hint: 'tissue list' })
}
