// Which sessions have a worktree of their own: a file each, written before git makes anything and removed when nothing
// is left of it, so that whatever was killed between is found again.
import { rmSync } from 'node:fs'
import { entriesIn, fileIn, folderIn, makeFolder, readStored } from '@switchyard/ground/disk'
import { parseJson } from '@switchyard/ground/parse-json'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Store } from '@switchyard/topic'
import { z } from 'zod'
import { processName } from '../session/event-schema.ts'
import { compareIds, isSessionId } from '../session/session-id.ts'

const markSchema = z.object({
  v: z.literal(1),
  id: z.string().refine(isSessionId),
  path: z.string(),
  branch: z.string(),
  /** The commit that it began from. */
  from: z.string().regex(/^[0-9a-f]{40,64}$/),
  /** Who makes it. */
  maker: processName,
  /** What was begun and has to come to its end, whatever is killed: all that is worth keeping is kept already. */
  removing: z.enum(['worktree', 'all']).optional(),
})

export type Mark = z.infer<typeof markSchema>

const markFile = (store: Store, id: string) => fileIn(store, `worktrees/${id}.json`)

export function writeMark(store: Store, mark: Mark): void {
  makeFolder(folderIn(store, 'worktrees'))
  const path = markFile(store, mark.id)
  writeWhole(path, `${path}.draft`, `${JSON.stringify(mark)}\n`)
}

/** The mark of a session; undefined when it has no worktree of its own. */
function readMark(store: Store, id: string): Mark | undefined {
  const { data } = markSchema.safeParse(parseJson(readStored(markFile(store, id)) ?? ''))
  return data?.id === id ? data : undefined
}

export const removeMark = (store: Store, id: string): void => rmSync(markFile(store, id), { force: true })

/** All of them, in the order of the tree of sessions. */
export function allMarks(store: Store): Mark[] {
  return entriesIn(folderIn(store, 'worktrees'))
    .map(({ name }) => name.replace(/\.json$/, ''))
    .filter(isSessionId)
    .sort(compareIds)
    .flatMap((id) => readMark(store, id) ?? [])
}
