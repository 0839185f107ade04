// Where refs are, read from git's own files: to start git for one line of text was half of what a landing cost. What is
// not plainly there, git is asked.
import { join } from 'node:path'
import { lstatAt, statAt } from '@switchyard/ground/at-path'
import { readIfThere } from '@switchyard/ground/disk'
import { systemCode } from '@switchyard/ground/failure'
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { readShortFile } from './short-file.ts'

const packedBytesMax = 1024 * 1024
const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Whether a text names a commit in full, which never means another one later. */
export const isWholeId = (text: string) => commitPattern.test(text)

/** The commit that a ref is at, as `refs/heads/main`; undefined when there is no such ref. */
export async function commitOf(git: Git, { here }: { here: GitPlace }, ref: string): Promise<string | undefined> {
  here.prove()
  const found = readRef(here.commonDir, ref)
  if (found !== undefined) return found ?? undefined
  const asked = await git.try(here, ['rev-parse', '--verify', '--quiet', ref])
  return asked.exitCode === 0 ? asked.stdout.trim() : undefined
}

/** The commit that a working tree is at. Failure `outside` before the first one. */
export async function headOf(git: Git, at: GitPlace): Promise<string> {
  at.prove()
  const text = readHead(at)
  if (text !== undefined && isWholeId(text)) return text
  const branch = branchNamedBy(text)
  const found = branch === undefined ? undefined : readRef(at.commonDir, `refs/heads/${branch}`)
  return found ?? git.run(at, ['rev-parse', '--verify', 'HEAD'])
}

/** Whether HEAD plainly names a branch. False, too, where only git can tell. */
export const isOnBranch = (at: Pick<GitPlace, 'gitDir'>, branch: string) => branchNamedBy(readHead(at)) === branch

/** The branch that HEAD plainly names; undefined, too, where only git can tell. */
export const branchAt = (at: Pick<GitPlace, 'gitDir'>) => branchNamedBy(readHead(at))

const readHead = ({ gitDir }: Pick<GitPlace, 'gitDir'>) => readShortFile(join(gitDir, 'HEAD'))?.trimEnd()

/** Where refs are no files, HEAD names a branch that cannot be. */
function branchNamedBy(head: string | undefined): string | undefined {
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head ?? '')?.[1]
  return branch === undefined || branch === '.invalid' || branch.split('/').includes('..') ? undefined : branch
}

/** The commit of a ref that all worktrees share; null where there is none, undefined where only git can tell. */
export function readRef(commonDir: string, ref: string): string | null | undefined {
  // No name of a ref, which git says; as a path it could lead anywhere.
  if (ref.split('/').some((word) => word === '' || word.startsWith('.'))) return undefined
  try {
    const loose = lstatAt(join(commonDir, ref))
    if (loose === undefined || loose.isDirectory()) return readPacked(commonDir, ref)
    const text = loose.isFile() ? readShortFile(join(commonDir, ref))?.trimEnd() : undefined
    return text !== undefined && isWholeId(text) ? text : undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

function readPacked(commonDir: string, ref: string): string | null | undefined {
  if (lstatAt(join(commonDir, 'refs', 'heads'))?.isDirectory() !== true) return undefined
  const path = join(commonDir, 'packed-refs')
  if ((statAt(path)?.size ?? 0) > packedBytesMax) return undefined
  const line = `\n${readIfThere(path) ?? ''}`.split(` ${ref}\n`, 2)
  if (line[1] === undefined) return null
  const id = line[0]?.slice(line[0].lastIndexOf('\n') + 1) ?? ''
  return isWholeId(id) ? id : undefined
}
