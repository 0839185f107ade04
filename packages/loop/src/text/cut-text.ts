// Texts that may be long, cut to what is worth telling.

/** The end of a text in at most `bytesMax` bytes of UTF-8, never half a character. */
export function tail(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let start = bytes.length - bytesMax
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return `[…]${bytes.subarray(start).toString('utf8')}`
}

/** The beginning of a text in at most `bytesMax` bytes of UTF-8, never half a character. */
export function head(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return `${bytes.subarray(0, end).toString('utf8')}[…]`
}
