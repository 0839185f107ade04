import { Failure } from '@switchyard/ground/failure'
import type { Host } from '../host.ts'
import type { FileChange } from './change-file.ts'
import { installedEvents, withHooks, withoutHooks } from './hook-text.ts'
import { isBare } from './json-text.ts'
import type { OwnHooks } from './own-hooks.ts'

/** The first words of a tool's plugin for opencode, by which it is known. */
const shimMark = ({ tool }: OwnHooks) => `// Written by ${tool}:`

/** What is needed to know what a file is to become. `shim`: the plugin for opencode. */
export type Wanted = { readonly host: Host; readonly path: string; readonly shim: string; readonly own: OwnHooks }

/**
 * The host's file with our hooks. The copy is of a file without them, so that it is what was there before us. Failure
 * `corrupt` or `conflict` for a file that is not ours to change.
 */
export function hooksInstalled(before: string | undefined, { host, path, shim, own }: Wanted): FileChange {
  if (host === 'opencode') {
    if (before !== undefined && !before.startsWith(shimMark(own))) throw notOurs(path, own)
    return { text: shim }
  }
  const text = withHooks(before ?? '', { host, path, own })
  const hadNone = before !== undefined && installedEvents(before, { host, path, own }).length === 0
  return hadNone ? { text, backup: 'keep' } : { text }
}

/**
 * The host's file without our hooks: to the byte what the kept copy says, when nothing else was changed since; no file,
 * when we have made it. The copy goes with the hooks.
 */
export function hooksRemoved(
  before: string | undefined,
  kept: string | undefined,
  { host, path, own }: Wanted,
): FileChange {
  if (before === undefined) return { text: undefined }
  if (host === 'opencode') return before.startsWith(shimMark(own)) ? { text: undefined } : { text: before }
  const text = withoutHooks(before, { host, path, own })
  if (text === before) return { text }
  if (kept === undefined) return { text: isBare(text, []) ? undefined : text }
  const isAllOurs = text === kept || withHooks(kept, { host, path, own }) === before
  return { text: isAllOurs ? kept : text, backup: 'forget' }
}

function notOurs(path: string, { tool }: OwnHooks): Failure {
  return new Failure('conflict', `expected ${path} to be written by ${tool}, got a plugin of somebody else`, {
    hint: 'move it away, then run it again',
  })
}
