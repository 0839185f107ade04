import { isFailure } from '@switchyard/cli-kit/failure'

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

/** Something that `--fix` mends: with `fix` it is, else it is a warning that says so. */
export function mendable(check: string, detail: string, fix: boolean): Finding {
  return fix
    ? { check, state: 'fixed', detail, advice: null }
    : { check, state: 'warn', detail, advice: 'jwz doctor --fix mends it' }
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
