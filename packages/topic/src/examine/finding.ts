// What a doctor says: the findings of its looks, the same for every tool that keeps a store.
import { isFailure } from '@switchyard/ground/failure'

/**
 * What one look found. `bad` wants something done, `warn` may want it, `fixed` was mended just now. `advice` says what
 * to do.
 */
export type Finding = {
  check: string
  state: 'ok' | 'warn' | 'bad' | 'fixed'
  detail: string
  advice: string | null
}

export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail, advice: null }
}

export function warn(check: string, detail: string, advice: string): Finding {
  return { check, state: 'warn', detail, advice }
}

export function bad(check: string, detail: string, advice: string): Finding {
  return { check, state: 'bad', detail, advice }
}

/** What a visit is about: which tool's doctor looks, from where and when, and whether it mends. */
export type Visit = { readonly tool: string; readonly cwd: string; readonly now: number; readonly fix: boolean }

/** Something that `--fix` mends: with `fix` it is, else it is a warning that says so. */
export function mendable(check: string, detail: string, { fix, tool }: Pick<Visit, 'fix' | 'tool'>): Finding {
  return fix
    ? { check, state: 'fixed', detail, advice: null }
    : { check, state: 'warn', detail, advice: `${tool} doctor --fix mends it` }
}

/** What `look` finds; where it is refused a look or a mend, that is what was found. */
export async function orBad(check: string, look: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    if (!isFailure(error)) throw error
    return [bad(check, error.message, error.hint ?? 'give this user the right, or move away what is in its place')]
  }
}

const codes = { ok: '32', fixed: '32', warn: '33', bad: '35' } as const

/** A finding as a line for people, and below it what to do. */
export function renderFinding({ check, state, detail, advice }: Finding, hasColor: boolean): string {
  const word = hasColor ? `\u001b[${codes[state]}m${state.padEnd(5)}\u001b[0m` : state.padEnd(5)
  const line = `${word} ${check}: ${detail}`
  return advice === null ? line : `${line}\n      ${advice}`
}
