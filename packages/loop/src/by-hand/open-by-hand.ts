// What the verbs that land by hand have in common: the run they are, and the one that asks for it.
import { Failure } from '@switchyard/ground/failure'
import { identify, locateStore } from '@switchyard/topic'
import { ensureTools } from '../by-runner/open-core.ts'
import { openRun } from '../by-runner/open-run.ts'
import type { Settings } from '../by-runner/settings.ts'
import type { Config } from '../config/config-schema.ts'
import { readConfig, requireTrusted } from '../config/read-config.ts'
import { wantedVerify } from '../config/verify-line.ts'
import { type ChangeToLand, findChange, type Places } from '../land/find-change.ts'
import type { LandingFlags } from '../land/landing-settings.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { openTissue } from '../programs/tissue.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { findRepository } from '../worktree/repository.ts'
import { landByHand } from './by-hand.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The world of the verb, and what its flags say of every landing. */
export type Hand = {
  cwd: string
  env: Env
  now: () => number
  note: (text: string) => void
  stop: AbortSignal
  as: string | undefined
  timeoutMs: number
}

/** The repository around, and its issues, for a look that changes nothing. */
export async function openPlaces({ cwd, env }: { cwd: string; env: Env }): Promise<Places> {
  ensureTools(['git', 'tissue'], { cwd, env })
  const runChild = openPlainChildren(env)
  const git = openGit(runChild)
  const repository = await findRepository(git, cwd)
  return { git, repository, tissue: openTissue(runChild, repository.root), cwd }
}

export type Wanted = {
  change: string
  base: string | undefined
  /** `false`: nothing is verified. Undefined: as the settings say. */
  verify: string | false | undefined
  landing: LandingFlags
  keep: boolean
}

/** The verify command that is meant. Failure `usage` when there is none, and nobody said that none is needed. */
export function verifyByHand(root: string, wanted: string | false | undefined, env: Env): string | undefined {
  if (wanted === false) return undefined
  const command = wantedVerify(wanted, readConfig(root, env))
  if (command !== undefined) return command
  throw new Failure('usage', 'expected a verify command, got none', {
    hint: 'give --verify CMD, set verify in loop.json, or say --no-verify',
  })
}

const leaseMs = 600_000

/** Lands one change, in a run of its own. */
export async function openAndLand(hand: Hand, wanted: Wanted): Promise<IssueResult> {
  const { cwd, env, now, note, stop, timeoutMs } = hand
  const places = await openPlaces(hand)
  const verify = verifyByHand(places.repository.root, wanted.verify, env)
  const found = await findChange(places, wanted.change)
  const worker = identify({ as: hand.as, env, store: locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' }) })
  const config = readConfig(places.repository.root, env)
  if (config.review) requireTrusted(config, 'reviewer')
  const settings = settingsOf(wanted, verify, { timeoutMs, config })
  const { run, close } = await openRun({
    ...{ cwd, env, now, note, stop, draining: stop, settings, prompt: undefined, before: undefined },
    ...{ mode: 'issue', landing: wanted.landing, jobs: 1, isOwned: true },
  })
  try {
    const change: ChangeToLand = await findChange({ ...places, git: run.git }, found.worktree.branch)
    const result = await landByHand(run, { ...change, issue: found.issue }, { worker, verify, keep: wanted.keep })
    await run.journal.tell({ event: 'finished', exit_code: 0 })
    return result
  } finally {
    close()
  }
}

type Rest = { timeoutMs: number; config: Config }

/** Settings of a run that calls no agent. */
function settingsOf(wanted: Wanted, verify: string | undefined, { timeoutMs, config }: Rest): Settings {
  const { review: reviews, base, reviewer, sandbox } = config
  return {
    runner: { shell: '' },
    verify,
    base: wanted.base ?? base,
    rules: { verifies: verify !== undefined, reviews, lands: true },
    limits: { iterations: 1 },
    ...{ timeoutMs, leaseMs, backoffMs: 0, context: { carriedOn: 0 }, reviewer },
    confining: sandbox ? { verifyHasNetwork: true } : undefined,
  }
}
