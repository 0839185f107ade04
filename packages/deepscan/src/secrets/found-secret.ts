/** A secret in a text: of which kind, and where it stands, in UTF-16 units. */
export type FoundSecret = { rule: string; start: number; end: number }
