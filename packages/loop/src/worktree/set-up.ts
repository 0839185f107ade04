// What a new worktree needs before work can begin in it, as the project's `loop.json` says.

import { join } from 'node:path'
import { type AskedTree, copyIgnored } from '@switchyard/ground/copy-ignored'
import { isFailure } from '@switchyard/ground/failure'
import type { Config } from '../config/config-schema.ts'
import type { RunChild } from '../programs/children.ts'
import type { Git } from '../programs/git.ts'
import type { TreePlace } from '../programs/git-place.ts'
import { tail } from '../text/cut-text.ts'
import { readRecord, writeRecord } from './record.ts'
import { listWorktrees, type Repository } from './repository.ts'
import type { Worktree } from './slug.ts'
import { initSubmodules } from './submodules.ts'
import { personsTree, placeOf } from './tree-place.ts'

/** `env` is what the set-up commands are told beside what they inherit. */
export type SetUpOptions = {
  settings: Config['worktree']
  timeoutMs: number
  env: Readonly<Record<string, string>>
  signal?: AbortSignal
  note: (text: string) => void
}

type SetUpMeans = { git: Git; repository: Repository; runChild: RunChild }

const outputBytesMax = 4096

/**
 * Checks out the submodules, copies the files that git ignores, and runs the set-up commands one after the other.
 * Returns undefined when all of it went well, else what did not, with the end of its output.
 */
export async function setUpWorktree(
  { git, repository, runChild }: SetUpMeans,
  worktree: Worktree,
  { settings, timeoutMs, env, signal, note }: SetUpOptions,
): Promise<string | undefined> {
  const { path } = worktree
  try {
    await initSubmodules(git, placeOf(repository, worktree), join(repository.commonDir, 'modules'))
    if (settings.copy.length > 0) await copy({ git, repository }, worktree, settings.copy, note)
  } catch (error) {
    if (!isFailure(error)) throw error
    return `the worktree could not be set up: ${error.message}`
  }
  for (const shell of commandsOf(settings.setup)) {
    const aborts = signal === undefined ? {} : { signal }
    const options = { cwd: path, onOrphan: 'end' as const, timeoutMs, env, ...aborts }
    const { exitCode, timedOut, output } = await runChild({ shell }, options)
    if (exitCode === 0 && !timedOut) continue
    const how = timedOut ? `did not end within ${timeoutMs} ms` : `failed (exit ${exitCode})`
    return `the set-up command ${how}: ${shell}\n${tail(output.trimEnd(), outputBytesMax)}`
  }
  const record = readRecord(repository.commonDir, path)
  if (record !== undefined) writeRecord(repository.commonDir, path, { ...record, ready: true })
  return undefined
}

const commandsOf = (setup: string | readonly string[] | undefined) => [setup ?? []].flat()

async function copy(
  { git, repository }: Pick<SetUpMeans, 'git' | 'repository'>,
  to: Worktree,
  patterns: readonly string[],
  note: (text: string) => void,
): Promise<void> {
  const [main] = await listWorktrees(git, repository.here)
  if (main?.bare !== false || repository.mainTree === repository.commonDir) {
    note('worktree.copy: there is no main tree to copy from')
    return
  }
  const from = personsTree(repository, repository.mainTree)
  const { left } = await copyIgnored({ from: asked(git, from), to: asked(git, placeOf(repository, to)), patterns })
  for (const { path, why } of left) note(`worktree.copy: ${path} ${why}`)
}

const asked = (git: Git, place: TreePlace): AskedTree => ({
  path: place.workTree,
  run: (args) => git.run(place, args),
  try: async (args, input) => (await git.try(place, args, { input })).stdout,
})
