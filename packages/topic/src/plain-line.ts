/** What is known of a message that was not parsed: its id, and its time in milliseconds since 1970. */
export type Glimpse = { id: string; at: number }

const named = String.raw`"[^"\\\x00-\x1f]+"`
const text = String.raw`"[^"\\\x00-\x1f]*(?:\\["\\/bfnrt][^"\\\x00-\x1f]*)*"`
const texts = String.raw`\[(?:${text}(?:,${text})*)?\]`
const nullable = `(?:null|${text})`
const rest = [
  `"(?:role|model|reply_to)":${text}`,
  `"(?:to|tags)":${texts}`,
  String.raw`"git":\{"oid":${nullable},"branch":${nullable},"prefix":${text}\}`,
  '"urgent":true',
].join('|')
const start = String.raw`^\{"v":1,"id":"[0-7][0-9A-HJKMNP-TV-Z]{25}","at":[1-9]\d{0,14},`
const idStart = '{"v":1,"id":"'.length
const idEnd = idStart + 26
const atStart = idEnd + '","at":'.length
const atEnd = atStart + 15
const plain = new RegExp(String.raw`${start}"topic":${named},"from":${named},"body":${text}(?:,(?:${rest}))*\}$`)

/**
 * What a line says that is a message beyond doubt: written as `postMessage` writes one, without condition, blob, files,
 * data or `\u` escapes, so that its texts stand in it as they are. Undefined for every other line, which has to be
 * parsed. A quarter of the price of parsing.
 */
export function glimpseOf(line: string): Glimpse | undefined {
  if (!plain.test(line)) return undefined
  return { id: line.slice(idStart, idEnd), at: Number.parseInt(line.slice(atStart, atEnd), 10) }
}
