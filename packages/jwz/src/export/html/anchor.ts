// Where a message stands on its page.

/** What follows `#` to lead to the message with this id, whatever characters the id has. */
export function anchorOf(id: string): string {
  return `m-${id.replaceAll(/[^A-Za-z0-9_-]/g, (character) => `.${character.charCodeAt(0).toString(16)}`)}`
}
