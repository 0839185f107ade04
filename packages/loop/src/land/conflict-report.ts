// What whoever made a change that conflicts has to know: where, and what the other side did to the same files.

import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { head as beginOf } from '../text/cut-text.ts'

const hunksBytesMax = 1700
const commitsBytesMax = 500
const diffBytesMax = 1700

/**
 * The hunks in conflict, the commits that touched these files meanwhile, and what they changed in them: at most 4 KB.
 * Asked while the rebase stands at the conflict.
 */
export async function conflictReport(
  git: Git,
  at: GitPlace,
  { head, tip, files }: { head: string; tip: string; files: readonly string[] },
): Promise<string> {
  if (files.length === 0) return ''
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--submodule=short']
  const only = ['--', ...files.map((file) => `:(top,literal)${file}`)]
  const said = async (...args: string[]) => (await git.try(at, args)).stdout.trimEnd()
  const from = await said('merge-base', head, tip)
  const hunks = await said('diff', ...plain, ...only)
  const commits = await said(
    'log',
    '--no-color',
    '--no-merges',
    '-20',
    '--format=%h %an: %s',
    `${from}..${tip}`,
    ...only,
  )
  const diff = await said('diff', ...plain, '--no-renames', from, tip, ...only)
  return [
    'In conflict (between <<<<<<< and ======= what has landed, below it your change):',
    beginOf(hunks, hunksBytesMax),
    'Landed meanwhile:',
    beginOf(commits, commitsBytesMax),
    beginOf(diff, diffBytesMax),
  ].join('\n')
}
