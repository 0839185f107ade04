// What was committed inside comes out as a pack that git made inside, of which git outside believes nothing: it names
// each object by its bytes, and wants all that it leads to.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Execution } from '@switchyard/exec'
import { Failure, isFailure } from '@switchyard/ground/failure'
import type { InnerGit } from './inner-git.ts'
import { outerGit } from './outer-git.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Runs a command confined as the one whose commits are taken was. */
export type RunInside = (
  argv: readonly string[],
  options: { signal: AbortSignal; onOutput: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void },
) => Promise<Execution>

const packBytesMax = 2 * 1024 * 1024 * 1024
const makePack =
  '{ echo "$1"; [ -z "$2" ] || echo "^$2"; } | git pack-objects --revs --stdout --quiet --delta-base-offset'

/**
 * Takes the objects of the commit that HEAD is at inside into the repository, and returns it; undefined when it is
 * where it was, or is no commit any more. No ref, index or file outside is touched. Failure `failed` when what comes
 * out is not whole.
 */
export async function takeCommits(inner: InnerGit, runInside: RunInside, env: Env): Promise<string | undefined> {
  const never = new AbortController().signal
  const asked = ['git', 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}']
  const head = (await runInside(asked, { signal: never, onOutput: () => undefined })).stdout.trim()
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(head) || head === inner.head) return undefined
  const pack = `${inner.folder}.pack`
  try {
    await writePack(pack, ['sh', '-c', makePack, 'sh', head, inner.head ?? ''], runInside)
    const git = outerGit(inner.outer, env)
    await git.run(['index-pack', '--stdin', '--strict'], pack)
    await git.run(['cat-file', '-e', `${head}^{commit}`])
  } catch (error) {
    if (!isFailure(error)) throw error
    throw new Failure('failed', `the commits made in the sandbox could not be taken out of it: ${error.message}`)
  } finally {
    rmSync(pack, { force: true })
  }
  return head
}

async function writePack(path: string, argv: readonly string[], runInside: RunInside): Promise<void> {
  const tooLarge = new AbortController()
  const file = openSync(path, 'wx', 0o600)
  let bytes = 0
  try {
    const onOutput = (chunk: Uint8Array, stream: 'stdout' | 'stderr') => {
      if (stream === 'stderr') return
      bytes += chunk.length
      if (bytes > packBytesMax) tooLarge.abort()
      else writeSync(file, chunk)
    }
    const { exitCode, stderr } = await runInside(argv, { signal: tooLarge.signal, onOutput })
    if (exitCode !== 0) throw new Failure('failed', stderr.trim().split('\n').at(-1) || `exit ${exitCode}`)
  } finally {
    closeSync(file)
  }
}
