// What of a project's settings waits until the person has trusted them: whatever runs a command, sends something away,
// or allows more than holds without. The rest, and what tightens, holds at once.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { loosens } from '../guard/loosening.ts'
import type { Config } from './config-schema.ts'

/** Settings as they hold now, and the names of those that wait. */
export type ProjectConfig = Config & { readonly waits: readonly string[] }

const iterationsDefault = 5
const timeoutDefaultMs = 10 * 60_000

/** The settings without those that wait. A reviewer stays named, so that no other verdict counts, and is not called. */
export function withhold(config: Config): ProjectConfig {
  const { with: runner, verify, pr, push, timeout, ...rest } = config
  const { iterations, ...limits } = config.limits
  const isMore = (iterations ?? 0) > iterationsDefault
  const isLonger = (parseDuration(timeout ?? '') ?? 0) > timeoutDefaultMs
  const waits = [
    ...(runner === undefined ? [] : ['with']),
    ...(verify === undefined ? [] : ['verify']),
    ...(config.reviewer === undefined ? [] : ['reviewer']),
    ...(pr === undefined ? [] : ['pr']),
    ...(push === false ? [] : ['push']),
    ...(config.worktree.setup === undefined ? [] : ['worktree.setup']),
    ...(config.worktree.copy.length === 0 ? [] : ['worktree.copy']),
    ...(isMore ? ['limits.iterations'] : []),
    ...(isLonger ? ['timeout'] : []),
    ...loosens(config.guard.rules),
  ]
  return {
    ...rest,
    push: false,
    worktree: { copy: [] },
    limits: { ...limits, ...(isMore || iterations === undefined ? {} : { iterations }) },
    ...(isLonger || timeout === undefined ? {} : { timeout }),
    waits,
  }
}
