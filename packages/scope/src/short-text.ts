// Texts of others, made fit for a line that people read.

/** A text as one line that does nothing to a terminal. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()

/** At most so many characters, the last of which says that there were more. */
export function cut(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}
