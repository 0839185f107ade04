import { ppid } from 'node:process'
import { Failure } from '@switchyard/cli-kit/failure'
import { readIfThere } from './disk.ts'
import { adjectives, animals, colours } from './words.ts'

/** Characters a sender's name may have. */
const nameLengthMax = 80

/** The name as it is; fails as bad input when it is empty, over-long or has control characters. */
export function requireName(name: string): string {
  if (name.trim() !== '' && name.length <= nameLengthMax && !/\p{Cc}/u.test(name)) return name
  throw new Failure(
    'usage',
    `a name has 1 to ${nameLengthMax} characters and no control characters; got ${JSON.stringify(name)}`,
  )
}

/** FNV-1a, 32 bits: spreads a session's description over the words. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}

/** A name of three words that is always the same for the same `key`. */
export function threeWordName(key: string): string {
  const value = hash(key)
  const word = (words: readonly string[], shift: number) => words[(value >>> shift) % words.length] ?? ''
  return `${word(adjectives, 0)}-${word(colours, 8)}-${word(animals, 16)}`
}

/**
 * What tells this terminal session from others and stays the same in it: the tmux pane, else the session leader and its
 * start, else the parent.
 */
function sessionKey(env: Readonly<Record<string, string | undefined>>): string {
  const pane = env['TMUX_PANE']
  if (pane) return `tmux ${env['TMUX'] ?? ''} ${pane}`
  const stat = readIfThere('/proc/self/stat')
  const session = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[3]
  if (!session) return `parent ${ppid}`
  const leader = readIfThere(`/proc/${session}/stat`)
  const started = leader?.slice(leader.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return `session ${session} ${started}`
}

/**
 * Who is speaking: `--as`, else JWZ_AGENT, else a name of three words that belongs to the terminal session or pane and
 * is the same at each call in it. Fails as bad input on an empty or over-long name and on control characters.
 */
export function identify({
  as,
  env,
}: {
  as?: string | undefined
  env: Readonly<Record<string, string | undefined>>
}): string {
  const name = as ?? env['JWZ_AGENT']
  return name === undefined ? threeWordName(sessionKey(env)) : requireName(name)
}
