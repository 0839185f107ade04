import type { Job, Run } from '../run/run-state.ts'
import type { WorkInput } from '../state/work-schema.ts'

/** What a landing needs of a run, so that a landing by hand can be one. */
export type LandingRun = Pick<
  Run,
  | 'id'
  | 'base'
  | 'repository'
  | 'git'
  | 'tissue'
  | 'journal'
  | 'store'
  | 'runChild'
  | 'runWork'
  | 'env'
  | 'reviewer'
  | 'identity'
  | 'verify'
  | 'rules'
  | 'landing'
  | 'timeoutMs'
  | 'stores'
  | 'recover'
  | 'note'
  | 'now'
>

/** What a landing needs of an issue that is worked. */
export type LandingJob = Omit<Job, 'work' | 'session' | 'told'>

/** How a landing ended. */
export type Landing = Extract<WorkInput, { of: 'landing' }>
