import { Failure } from '@switchyard/ground/failure'
import type { Host } from '../hosts/host-event.ts'
import type { Change } from './change-file.ts'
import { installedEvents, withHooks, withoutHooks } from './hook-text.ts'
import { isBare } from './json-text.ts'

/** The first words of the plugin for opencode, by which ours is known. */
const shimMark = '// Written by loop:'

/** What is needed to know what a file is to become. `shim`: the plugin for opencode. */
export type Wanted = { readonly host: Host; readonly path: string; readonly shim: string }

/**
 * The host's file with our hooks. The copy is of a file without them, so that it is what was there before us. Failure
 * `corrupt` or `conflict` for a file that is not ours to change.
 */
export function hooksInstalled(before: string | undefined, { host, path, shim }: Wanted): Change {
  if (host === 'opencode') {
    if (before !== undefined && !before.startsWith(shimMark)) throw notOurs(path)
    return { text: shim }
  }
  const text = withHooks(before ?? '', host, path)
  const hadNone = before !== undefined && installedEvents(before, host, path).length === 0
  return hadNone ? { text, backup: 'keep' } : { text }
}

/**
 * The host's file without our hooks: to the byte what the kept copy says, when nothing else was changed since; no file,
 * when we have made it. The copy goes with the hooks.
 */
export function hooksRemoved(before: string | undefined, kept: string | undefined, { host, path }: Wanted): Change {
  if (before === undefined) return { text: undefined }
  if (host === 'opencode') return before.startsWith(shimMark) ? { text: undefined } : { text: before }
  const text = withoutHooks(before, host, path)
  if (text === before) return { text }
  if (kept === undefined) return { text: isBare(text, []) ? undefined : text }
  const isAllOurs = text === kept || withHooks(kept, host, path) === before
  return { text: isAllOurs ? kept : text, backup: 'forget' }
}

function notOurs(path: string): Failure {
  return new Failure('conflict', `expected ${path} to be written by loop, got a plugin of somebody else`, {
    hint: 'move it away, then run it again',
  })
}
