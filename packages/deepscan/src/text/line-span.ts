/** From where to where in a line, in UTF-16 units, the end behind the last. */
export type LineSpan = readonly [start: number, end: number]
