export type Decision = 'deny' | 'ask' | 'warn' | 'allow'

/** What the guard says in the end. `rule` is null when nothing fired; a project's own rule has an id of its own. */
export type Verdict = {
  readonly decision: Decision
  readonly rule: string | null
  readonly reason: string
  readonly at: string
}
