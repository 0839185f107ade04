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
