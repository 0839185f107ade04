import type { Runner } from '@switchyard/exec/runner'
import type { AgentType } from './agent-types.ts'
import type { Only } from './choose-chunks.ts'
import type { Budget, Price } from './ledger.ts'

/** What one map is told: whom to ask what, how many at once, for how long and how much. Times in milliseconds. */
export type MapSettings = {
  readonly runner: Runner
  readonly stronger: Runner | undefined
  readonly model: string | null
  readonly type: AgentType
  readonly query: string
  readonly jobs: number
  readonly timeoutMs: number
  readonly retries: number
  readonly backoffMs: number
  readonly budget: Budget
  readonly price: Price | undefined
  readonly only: Only
  readonly sample: number | undefined
  readonly usesHints: boolean
}
