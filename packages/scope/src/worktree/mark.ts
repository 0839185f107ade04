// Which sessions have a worktree of their own: a file each, written before git makes anything and removed when nothing
// is left of it, so that whatever was killed between is found again. They are signed, as `.scope` may have come with a
// repository.
import { rmSync } from 'node:fs'
import { entriesIn, fileIn, folderIn, readStored, realPathIfThere } from '@switchyard/ground/disk'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { isSignedHere } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Store } from '@switchyard/topic'
import { makeFolderIn } from '../session/scope-store.ts'
import { compareIds, isSessionId } from '../session/session-id.ts'
import { sign } from '../session/sign.ts'
import { type Mark, markSchema } from './mark-schema.ts'

/** Where marks are kept, and whose they are. */
export type Keeper = { readonly store: Store; readonly env: Env }

const markFile = (store: Store, id: string) => fileIn(store, `worktrees/${id}.json`)

const purpose = 'scope:worktree'

const signedOf = (store: Store, mark: Mark): string[] => [
  realPathIfThere(store.path) ?? store.path,
  JSON.stringify(markSchema.parse(mark)),
]

/** Exits 1 where this machine has no place for a key to sign it. */
export function writeMark({ store, env }: Keeper, mark: Mark): void {
  makeFolderIn(store, 'worktrees')
  const path = markFile(store, mark.id)
  const signature = sign(purpose, signedOf(store, mark), env)
  writeWhole(path, `${path}.draft`, `${JSON.stringify({ ...mark, signature })}\n`)
}

/** The mark of a session; undefined when it has no worktree of its own, or another machine says so. */
export function readMark({ store, env }: Keeper, id: string): Mark | undefined {
  const read = parseJson(readStored(markFile(store, id)) ?? '')
  const { data } = markSchema.safeParse(read)
  const signature = isPlainObject(read) ? read['signature'] : undefined
  const isOurs = data !== undefined && isSignedHere(purpose, signedOf(store, data), signature, env)
  return isOurs && data.id === id ? data : undefined
}

export const removeMark = (store: Store, id: string): void => rmSync(markFile(store, id), { force: true })

/** All of them, in the order of the tree of sessions. */
export function allMarks(keeper: Keeper): Mark[] {
  return entriesIn(folderIn(keeper.store, 'worktrees'))
    .map(({ name }) => name.replace(/\.json$/, ''))
    .filter(isSessionId)
    .sort(compareIds)
    .flatMap((id) => readMark(keeper, id) ?? [])
}
