import { identify, type Store } from '@switchyard/topic'

/** Who calls. A file of its own: verbs that read load it only where somebody says `me`. */
export function callerOf(store: Store, env: Readonly<Record<string, string | undefined>>): string {
  return identify({ env, store })
}
