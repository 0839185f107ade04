import { isFailure } from '@switchyard/ground/failure'
import type { Host } from '@switchyard/wire/host'
import { hasPlugin } from './has-plugin.ts'
import { changeHooks } from './install-hooks.ts'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

/** Whether the user's own settings of a host call our hooks, or its plugin does. Settings nobody can read say no. */
export async function hasHooks(host: Host, where: Where): Promise<boolean> {
  try {
    if ((await changeHooks('removed', { host, scope: 'user', ...where, isDry: true })).state !== 'unchanged')
      return true
    return host === 'claude' && hasPlugin(['user'], where)
  } catch (error) {
    if (!isFailure(error)) throw error
    return false
  }
}
