// What a new worktree gets before work begins in it, as the user's own settings say. A repository has no say in it.
import { join } from 'node:path'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { cleanEnv, type Execution, execute } from '@switchyard/exec'
import { type AskedTree, copyIgnored } from '@switchyard/ground/copy-ignored'
import { Failure } from '@switchyard/ground/failure'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Store } from '@switchyard/topic'
import { sessionFolder } from '../session/scope-store.ts'
import { type Git, listWorktrees } from './git.ts'

/** A shell line, when it is ended, and the paths, from the top, of files that git ignores. */
export type SetUp = {
  readonly command: string | undefined
  readonly timeoutMs: number
  readonly copy: readonly string[]
}

type Env = Readonly<Record<string, string | undefined>>

/** `marks`: by what those who end what a session has left find what the command starts. */
type Place = {
  readonly store: Store
  readonly id: string
  readonly env: Env
  readonly marks: Env
  readonly commonDir: string
  readonly path: string
}

const outputBytesMax = 1_000_000

/** Copies files and runs the command; what both say is kept in `setup.log`. Exits 8 when the command fails. */
export async function setUpWorktree(git: Git, place: Place, setUp: SetUp): Promise<void> {
  const left = setUp.copy.length === 0 ? [] : await copyInto(git, place, setUp.copy)
  const ran = setUp.command === undefined ? undefined : await runSetUp(place, setUp.command, setUp.timeoutMs)
  const log = join(sessionFolder(place.store, place.id), 'setup.log')
  const said = `${left.map((line) => `${line}\n`).join('')}${redactorOf(place.env)(ran?.output ?? '')}`
  if (said !== '') writeWhole(log, `${log}.draft`, said)
  if (ran === undefined || (ran.exitCode === 0 && !ran.timedOut)) return
  const how = ran.timedOut
    ? `did not end within ${setUp.timeoutMs} ms`
    : `failed (${ran.signal ?? `exit code ${ran.exitCode}`})`
  const last = said.trim().split('\n').at(-1) ?? ''
  throw new Failure('outside', `worktree.setup ${how}${last === '' ? '' : `: ${last}`}`, {
    hint: `all that it said is in ${log}`,
    retryable: false,
  })
}

/** A line for each that was not copied, with the reason. */
async function copyInto(git: Git, { commonDir, path }: Place, patterns: readonly string[]): Promise<string[]> {
  const [main] = await listWorktrees(git, commonDir)
  if (main === undefined || main.bare) return ['worktree.copy: there is no main tree to copy from']
  const { left } = await copyIgnored({ from: treeAt(git, main.path), to: treeAt(git, path), patterns })
  return left.map((one) => `worktree.copy: ${one.path} ${one.why}`)
}

const treeAt = (git: Git, path: string): AskedTree => ({
  path,
  run: (args) => git.run(path, args),
  try: async (args, input) => (await git.try(path, args, {}, input)).stdout,
})

const runSetUp = ({ env, marks, path }: Place, shell: string, timeoutMs: number): Promise<Execution> =>
  execute({ shell }, { cwd: path, env: { ...cleanEnv(env), ...marks }, timeoutMs, outputBytesMax })
