// The phases of a workflow, in groups that run one after the other, and what each is given of those before it.
import { Failure } from '@switchyard/ground/failure'
import type { z } from 'zod'
import { firstIssue } from '../first-issue.ts'
import { type PhaseEnd, type PhaseOptions, partName, phaseOptions } from './phase-schema.ts'

/** A phase of a workflow: a task, and how its result is checked. `result` is there once it has run. */
export class Phase {
  readonly name: string
  readonly options: PhaseOptions
  result: PhaseResult | null = null

  /** Fails as `usage` when something in the options is unknown or no such value. */
  constructor(name: unknown, options: unknown) {
    this.name = parsed(partName, name, 'the name of a phase')
    this.options = parsed(phaseOptions, options, `phase ${this.name}`)
  }
}

/** What came of a phase. */
export class PhaseResult implements PhaseEnd {
  readonly phase: string
  readonly verdict: PhaseEnd['verdict']
  readonly passed: boolean
  readonly iterations: number
  readonly attempt: number
  readonly session_id: string
  readonly exit_reason: string | null
  readonly result_text: string

  constructor(end: PhaseEnd) {
    this.phase = end.phase
    this.verdict = end.verdict
    this.passed = end.passed
    this.iterations = end.iterations
    this.attempt = end.attempt
    this.session_id = end.session_id
    this.exit_reason = end.exit_reason
    this.result_text = end.result_text
  }
}

/** The value as the schema has it. Fails as `usage`, naming the field. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return data
  throw new Failure('usage', `${what}: ${firstIssue(error)}`)
}

/** How often a phase is tried, and whether the next one comes although it failed. */
export function patienceOf({ options }: Phase): { tries: number; goesOn: boolean } {
  const [, more] = /^retry:(\d+)$/.exec(options.on_fail) ?? []
  return { tries: more === undefined ? 1 : 1 + Number(more), goesOn: options.on_fail === 'continue' }
}

export type Step = { readonly phase: Phase; readonly sources: readonly string[] }

/**
 * The phases as they run: each group at once, group after group. A phase is given the results that its `pipe` names, or
 * else those of the group before it. Fails as `usage` where a pipe names a phase that does not run before.
 */
export function groupsOf(phases: readonly Phase[]): Step[][] {
  const groups: Step[][] = []
  const before = new Set<string>()
  for (const phase of phases) {
    if (!phase.options.parallel || groups.length === 0) {
      for (const { phase: earlier } of groups.at(-1) ?? []) before.add(earlier.name)
      groups.push([])
    }
    const unknown = phase.options.pipe?.find((name) => !before.has(name))
    if (unknown !== undefined) {
      throw new Failure('usage', `phase ${phase.name}: pipe: expected a phase that runs before, got ${unknown}`)
    }
    const sources = phase.options.pipe ?? (groups.at(-2) ?? []).map((step) => step.phase.name)
    groups.at(-1)?.push({ phase, sources })
  }
  return groups
}
