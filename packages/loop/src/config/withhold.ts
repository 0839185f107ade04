// Which of a project's settings wait until the person has trusted them: those that run a command, send something away,
// or allows more than holds without. The rest, and what tightens, holds at once.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { loosens } from '@switchyard/guard/loosening'
import type { Config } from './config-schema.ts'

/** Settings as they hold now, and the names of those that wait. */
export type ProjectConfig = Config & { readonly waits: readonly string[] }

const iterationsDefault = 5
const timeoutDefaultMs = 10 * 60_000

/** The settings that wait, by name, and what they would be. */
export function waitingSettings(config: Config): (readonly [string, unknown])[] {
  const { with: runner, verify, reviewer, pr, push, worktree, timeout, guard } = config
  const { iterations } = config.limits
  return [
    ...(runner === undefined ? [] : [['with', runner] as const]),
    ...(verify === undefined ? [] : [['verify', verify] as const]),
    ...(reviewer === undefined ? [] : [['reviewer', reviewer] as const]),
    ...(pr === undefined ? [] : [['pr', pr] as const]),
    ...(push === false ? [] : [['push', push] as const]),
    ...(worktree.setup === undefined ? [] : [['worktree.setup', worktree.setup] as const]),
    ...(worktree.copy.length === 0 ? [] : [['worktree.copy', worktree.copy] as const]),
    ...(isMore(iterations) ? [['limits.iterations', iterations] as const] : []),
    ...(isLonger(timeout) ? [['timeout', timeout] as const] : []),
    ...loosens(guard.rules),
  ]
}

const isMore = (iterations: number | undefined) => (iterations ?? 0) > iterationsDefault
const isLonger = (timeout: string | undefined) => (parseDuration(timeout ?? '') ?? 0) > timeoutDefaultMs

/** The settings without those that wait. A reviewer stays named, so that no other verdict counts, and is not called. */
export function withhold(config: Config): ProjectConfig {
  const { with: _with, verify: _verify, pr: _pr, timeout, ...rest } = config
  const { iterations, ...limits } = config.limits
  return {
    ...rest,
    push: false,
    worktree: { copy: [] },
    limits: { ...limits, ...(isMore(iterations) || iterations === undefined ? {} : { iterations }) },
    ...(isLonger(timeout) || timeout === undefined ? {} : { timeout }),
    waits: waitingSettings(config).map(([name]) => name),
  }
}
