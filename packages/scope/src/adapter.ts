import type { Execution } from '@switchyard/exec'
import type { Budget, Spending } from './budget.ts'
import type { Usage } from './envelope-schema.ts'

/**
 * What an agent may do unasked: look around; change files below its folder and run commands there; anything its user
 * may.
 */
export const accessLevels = ['read', 'write', 'full'] as const

export type Access = (typeof accessLevels)[number]

/** What is asked of an agent beside the prompt, which it reads from stdin. */
export type Turn = {
  access: Access
  model: string | undefined
  resume: string | undefined
  /** Whether that conversation stays as it is, and a copy of it is gone on with. */
  forks: boolean
  /** File of settings that count beside its user's. */
  settings: string | undefined
  /** Whether the kernel confines it already. */
  isConfined: boolean
  /** What it may spend; where there is one, the agent is to tell what it spends while it works, if it can. */
  budget?: Budget | undefined
}

/** What an agent's output says of its turn. */
export type AgentAnswer = {
  text: string
  /** What `--resume` takes to go on. */
  session: string | null
  usage: Usage | null
  costUsd: number | null
  /** What went wrong in the agent's own words, and the status its model's server answered, where it tells. */
  trouble: { message: string; status?: number | undefined } | null
}

export type Ended = Pick<Execution, 'stdout' | 'stderr' | 'exitCode'>

/** How an agent is started in a terminal. */
export type Interactive = {
  /** The command line without the prompt. Failure `usage` when the agent cannot do what is asked. */
  command(turn: Turn): string[]
  /** The host whose hooks can come with its start. Without them nobody is told when its turn ends. */
  readonly hooks?: 'claude' | 'codex'
  /** Whether it works in no other way. */
  readonly isOnly?: true
  /** The words that give it a prompt from its start on; an agent without such words has it pasted. */
  prompt?(text: string): string[]
}

/** How one agent is called and understood. The only place that knows its flags and its output. */
export type Adapter = {
  readonly name: string
  /** The program that must be there, where it is not called like the agent. */
  readonly program?: string
  /** A plain command instead may take an empty prompt, and says by exit 3 that there was nothing to do. */
  readonly isAgent: boolean
  /** The command line. Failure `usage` when the agent cannot do what is asked. */
  command(turn: Turn): string[]
  /** Whether it can go on in an earlier conversation. */
  readonly resumes?: true
  /** Whether it can go on in a copy of one. */
  readonly forks?: true
  /** Whether it tells what a turn cost. */
  readonly tellsCost?: true
  /** Whether it tells how many tokens a turn took. */
  readonly tellsTokens?: true
  /** How it works in a terminal, where a person may talk to it; undefined where it has no such way. */
  readonly interactive?: Interactive
  /** What the agent is told by its environment alone. */
  env?(turn: Turn): Record<string, string>
  /** Reads hostile output; undefined when there is no answer in it that the agent would give. */
  read(ended: Ended): AgentAnswer | undefined
  /**
   * What a value that it prints on a line tells of what it spends while it works; what it tells under a key stands in
   * the place of what it told under that before.
   */
  spentIn?(value: unknown): (Spending & { readonly key?: string }) | undefined
  /** The conversation that such a value names, where its transcript tells of what is spent, and the output does not. */
  conversationIn?(value: unknown): string | undefined
}
