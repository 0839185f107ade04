import { stateFolders } from '@switchyard/ground/state-folder'
import { type GuardWorld, openWorld } from '@switchyard/guard/world'
import { readConfigText } from './config-text.ts'
import { isTrusted } from './trusted.ts'

/** The world as the guard sees it: with loop.json as it is, what the person has trusted of it, and loop's own key. */
export function openGuardWorld(env: GuardWorld['env'], seen: Parameters<typeof openWorld>[2] = []): GuardWorld {
  const keeper = {
    configIn: readConfigText,
    trusts: (root: string, text: string) => isTrusted(root, text, env),
    ownFolders: () => stateFolders(env),
  }
  return openWorld(env, keeper, seen)
}
