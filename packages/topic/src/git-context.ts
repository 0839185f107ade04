import { readIfThere } from '@switchyard/ground/disk'
import { join, relative } from '@switchyard/ground/machine'
import type { Repository } from '@switchyard/ground/repository'

/**
 * Where in its repository's history a message was written: commit, branch (null when detached or unborn), folder below
 * the top.
 */
export type GitContext = { oid: string | null; branch: string | null; prefix: string }

function packedOid(commonDir: string, ref: string): string | null {
  const packed = readIfThere(join(commonDir, 'packed-refs')) ?? ''
  const line = packed.split('\n').find((candidate) => candidate.endsWith(` ${ref}`))
  return line?.split(' ')[0] ?? null
}

/**
 * Reads the context from git's files, without running git. A repository with the reftable format has no oid to read:
 * null.
 */
export function readGitContext({ top, gitDir, commonDir }: Repository, cwd: string): GitContext {
  const head = (readIfThere(join(gitDir, 'HEAD')) ?? '').trim()
  const prefix = relative(top, cwd)
  const ref = /^ref: (.+)$/.exec(head)?.[1]
  if (!ref) return { oid: head || null, branch: null, prefix }
  const loose = readIfThere(join(gitDir, ref)) ?? readIfThere(join(commonDir, ref))
  const oid = loose?.trim() || packedOid(commonDir, ref)
  return { oid, branch: ref.replace(/^refs\/heads\//, ''), prefix }
}
