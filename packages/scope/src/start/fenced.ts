// Text of others in a contract: between two lines that it cannot contain, so that nothing in it passes for an order.
import { randomBytes } from 'node:crypto'

export type Fence = (title: string, text: string) => string

/** A way to fence texts, with a number that no author of one could have known. */
export function openFence(): Fence {
  const number = randomBytes(12).toString('hex')
  return (title, text) => `----- ${number} begin: ${title} -----\n${text}\n----- ${number} end -----`
}

/** The beginning of a text, and how much is missing. */
export function cutAt(text: string, charsMax: number): string {
  return text.length <= charsMax
    ? text
    : `${text.slice(0, charsMax)}\n[… ${text.length - charsMax} characters left out]`
}
