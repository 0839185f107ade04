/** How a phase ended. `done` is a phase without a checker. */
export type Verdict =
  | 'accept'
  | 'done'
  | 'terminate'
  | 'max_iterations'
  | 'budget'
  | 'failed'
  | 'exit'
  | 'aborted'
  | 'dry_run'

export type PhaseOptions = {
  /** What is to be done. */
  task: string
  /** A rubric file, `agent: what to judge by`, or a command; without it the phase is one run. */
  checker?: string
  /** 3 when not given. */
  max_iterations?: number
  checker_model?: string
  checker_access?: 'read' | 'write' | 'full'
  /** When a command that checks is ended, as `10m`. */
  gate_timeout?: string
  /** Agent, model, access, timeout and budget by a name of the settings. */
  profile?: string
  /** By the profile, the settings of the type, or claude when not given. */
  agent?: string
  model?: string
  access?: 'read' | 'write' | 'full'
  type?: 'explore' | 'implement' | 'test' | 'review' | 'refactor'
  /** After a failure: end the workflow (the default), go on with the next phase, or try N more times and then end. */
  on_fail?: 'stop' | 'continue' | `retry:${number}`
  /** The phases whose results this one is given; those just before it when not given. */
  pipe?: string | string[]
  /** Run at once with the phase before it. */
  parallel?: boolean
  file_scope?: string | string[]
  verify?: string | string[]
  input?: string | string[]
  output?: string
  intent?: string
  cwd?: string
  /** In a worktree and on a branch of its own, from `base`; of further tries the branch has their number at its end. */
  worktree?: boolean
  base?: string
  branch?: string
  /** Without a screen, also where tmux is there. */
  headless?: boolean
  /** When it is ended, as `2h`. */
  timeout?: string
  /** How many US dollars it may spend, with all that it starts. */
  max_cost?: number
  /** How many tokens it may take, in and out, with all that it starts. */
  max_tokens?: number
}

export declare class PhaseResult {
  readonly phase: string
  readonly verdict: Verdict
  /** Whether its work was accepted, or, without a checker, done. */
  readonly passed: boolean
  readonly iterations: number
  /** How many tries came before this one. */
  readonly attempt: number
  readonly session_id: string
  /** Why it was stopped, or what it died of. */
  readonly exit_reason: string | null
  /** The last message of its last worker. */
  readonly result_text: string
}

export declare class Phase {
  readonly name: string
  /** Null until the phase has run. */
  readonly result: PhaseResult | null
}

export declare class Workflow {
  readonly name: string
  constructor(name: string)
  /** Adds a phase, which runs after those that were added before it. */
  phase(name: string, options: PhaseOptions): Phase
  /** Runs the phases; what came of each, by its name. Phases that were not reached are not there. */
  run(): Promise<Record<string, PhaseResult>>
}

/** What the run was given by `--param NAME=VALUE`. */
export declare function param(name: string, otherwise?: string): string
