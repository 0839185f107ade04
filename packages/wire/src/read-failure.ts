import { type Fields, textIn } from './host-fields.ts'

/** Why a turn failed. `resetsAt`: milliseconds since 1970, where it is said when a limit ends. */
export type TurnFailure = { failure: 'rate-limit' | 'auth' | 'other'; resetsAt: number | undefined }

const kinds: Readonly<Record<string, TurnFailure['failure']>> = {
  rate_limit: 'rate-limit',
  overloaded: 'rate-limit',
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  billing_error: 'auth',
}

const detailFields = ['error_details', 'error_message', 'last_assistant_message'] as const
/** A limit that is said to end later than this is a mistake. */
const aheadMaxMs = 40 * 86_400_000

/** The failure that a host tells of with `error` (older ones `error_type`) and words about it. */
export function readFailure(fields: Fields): TurnFailure {
  const kind = textIn(fields, 'error') ?? textIn(fields, 'error_type') ?? ''
  const failure = Object.hasOwn(kinds, kind) ? (kinds[kind] ?? 'other') : 'other'
  if (failure !== 'rate-limit') return { failure, resetsAt: undefined }
  const said = fields['resets_at']
  const details = detailFields.map((name) => textIn(fields, name) ?? '').join('\n')
  return { failure, resetsAt: typeof said === 'number' ? milliseconds(said) : momentIn(details) }
}

/** Hosts count seconds or milliseconds. */
function milliseconds(count: number): number | undefined {
  if (!Number.isFinite(count) || count <= 0) return undefined
  return Math.round(count < 1e11 ? count * 1000 : count)
}

/** A point in time that a text names: seconds or milliseconds since 1970 behind a bar, or a date with a time. */
function momentIn(text: string): number | undefined {
  const [, count] = /\|(\d{10}|\d{13})\b/.exec(text) ?? []
  if (count !== undefined) return milliseconds(Number(count))
  const [date] = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(text) ?? []
  const at = Date.parse(date ?? '')
  return Number.isNaN(at) ? undefined : at
}

/** The time at which a limit ends, when it is one that can be meant. */
export function resetWithin(resetsAt: number | undefined, now: number): number | undefined {
  return resetsAt !== undefined && resetsAt > now && resetsAt < now + aheadMaxMs ? resetsAt : undefined
}
