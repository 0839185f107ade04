const breaks = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text as it may stand in a row: what would end the row, move in it or act on a terminal is shown as JSON writes it. A
 * row made of other people's names is one row, in a pipe too, or a name could pass for a row of its own.
 */
export function inRow(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (found) => {
    const known = Object.entries(breaks).find(([character]) => character === found)
    return known?.[1] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
