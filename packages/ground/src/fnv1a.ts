/** FNV-1a, 32 bits: spreads texts over numbers; it protects nothing. */
export function fnv1a(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}
