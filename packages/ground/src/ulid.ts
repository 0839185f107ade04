import { customAlphabet } from 'nanoid/non-secure'

/** Crockford's base 32: no I, L, O or U, in the order of their values. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const randomPart = customAlphabet(alphabet, 16)

/**
 * A ULID: ten characters of time (`now` in milliseconds since 1970) and sixteen random ones, 80 bits.
 * It names and sorts roughly by time; it is no secret, and no order is ever decided by it.
 */
export function ulid(now: number): string {
  let time = Math.trunc(now)
  let text = ''
  for (let digit = 0; digit < 10; digit += 1) {
    text = alphabet.charAt(time % 32) + text
    time = Math.floor(time / 32)
  }
  return text + randomPart()
}

/** Whether `text` has the form of a ULID. */
export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)
}

/** The time in a ULID, milliseconds since 1970. */
export function timeOfUlid(text: string): number {
  let time = 0
  for (const digit of text.slice(0, 10)) time = time * 32 + alphabet.indexOf(digit)
  return time
}
