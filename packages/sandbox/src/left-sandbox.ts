// A sandbox whose caller was killed: nobody took away the repositories that were made in the folders of the working
// tree. A note beside the sandbox, where nothing inside can write, tells which were there before.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import { clearNestedGit, findNestedGit, type NestedGit } from './nested-git.ts'

type Env = Readonly<Record<string, string | undefined>>

/** How the folder of a sandbox is called, in the one that its caller names. */
export const sandboxPrefix = 'switchyard-sandbox-'

const noteName = 'nested.json'

/** To be called before anything runs in the sandbox of that folder. */
export function noteNested(sandbox: string, workTree: string, nested: NestedGit): void {
  const path = join(sandbox, noteName)
  writeFileSync(`${path}.new`, JSON.stringify({ workTree, nested: [...nested] }), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/**
 * Does for each sandbox that a dead process has left in `folder` what its `clear` would have done; to be called before
 * git is called in those working trees, and when all that ran inside has ended. `keeps` says of a working tree whether
 * what was made there is kept as plain folders, whose names are returned. May be repeated.
 */
export async function clearLeft(folder: string, env: Env, keeps: (workTree: string) => boolean): Promise<string[]> {
  const kept: string[] = []
  for (const name of readdirSync(folder).filter((each) => each.startsWith(sandboxPrefix))) {
    const note = join(folder, name, noteName)
    if (statAt(note)?.isFile() !== true) continue
    const { workTree, nested }: { workTree: string; nested: [string, string][] } = JSON.parse(
      readFileSync(note, 'utf8'),
    )
    if (statAt(workTree)?.isDirectory() !== true) continue
    const now = await findNestedGit(workTree, env)
    kept.push(...clearNestedGit(new Map(nested), now, { keeps: keeps(workTree) }))
  }
  return kept
}
