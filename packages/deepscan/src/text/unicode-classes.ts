const members = new Map([
  ['w', '\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}'],
  ['d', '\\p{Nd}'],
  ['s', '\\s\\x{0B}\\x{85}\\p{Z}'],
])

/**
 * The pattern with `\w`, `\d` and `\s` for the characters of all scripts, as ripgrep has them; RE2's own are ASCII.
 * Their opposites inside of brackets stay ASCII, because a set there cannot be turned round.
 */
export function unicodeClasses(pattern: string): string {
  let isInside = false
  return pattern.replace(/\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?|\]/g, (found) => {
    if (found.startsWith('\\')) return inUnicode(found, isInside)
    if (found === ']') isInside = false
    else if (isInside) return found
    else isInside = true
    return found
  })
}

function inUnicode(found: string, isInside: boolean): string {
  const letter = found.slice(1)
  const own = members.get(letter)
  if (own !== undefined) return isInside ? own : `[${own}]`
  const opposite = members.get(letter.toLowerCase())
  return opposite === undefined || isInside ? found : `[^${opposite}]`
}
