const auto = { defaultS: 5, shortS: 30, longS: 120, perMegabyteS: 2 }

/** Seconds that code may take when nobody says: five, or two a megabyte where it cuts chunks. */
export function timeLimitS(code: string, contextBytes: number): number {
  if (!/\b(?:write_chunks|chunk_indices)\b/.test(code)) return auto.defaultS
  const wanted = Math.ceil((contextBytes / 1_000_000) * auto.perMegabyteS)
  return Math.min(auto.longS, Math.max(auto.shortS, wanted))
}
