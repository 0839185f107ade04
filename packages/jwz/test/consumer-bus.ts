import { join } from 'node:path'
import { freshBus, ok } from './bus.ts'

type Bus = ReturnType<typeof freshBus>

/** A bus with `count` messages in topic `t`. */
export function busWith(count: number): Bus & { ids: string[] } {
  const bus = freshBus()
  return { ...bus, ids: Array.from({ length: count }, (_, n) => bus.post('t', `m${n}`)) }
}

/** Where the cursor of a consumer in `t` lies. */
export const cursorFile = ({ cwd }: Bus, consumer: string) => join(cwd, '.jwz/cursors', consumer, 't.jsonl.json')
/** Reads on as the consumer `ci`. */
export const next = ({ jwz }: Bus, ...flags: string[]) => jwz(['read', 't', '--consumer', 'ci', '-q', ...flags])
export const lines = (ids: readonly string[]) => ok(ids.map((id) => `${id}\n`).join(''))
/** The end of `next` when nothing is left: `empty` is no word to people with --quiet. */
export const nothing = { code: 3, signal: null, stdout: '', stderr: '' }
