// How much the parser has to do for a text, said before it begins: it cannot be stopped.

/** What begins here looks for its end in all that follows. */
const opening = /[$<>(]\(|<</g

/** A line of plain words, after which a command begins; with a here-document that is plainly text, its delimiter. */
const plainLine = /^[\w ./>|=@%+,:;&-]*(?:<<(-?) ?'(\w+)'[\w ./>|=@%+,:;&-]*)?$/

/** Steps of the parser: one for two signs, and more where things are within each other, or have no end. */
export function parseSteps(text: string): number {
  const read = withoutPlainTexts(text)
  return text.length / 2 + ((read.match(opening)?.length ?? 0) * read.length) / 4096
}

/** Without the lines of here-documents that nothing expands, as far as these are sure to be such from the beginning. */
function withoutPlainTexts(text: string): string {
  const lines = text.split('\n')
  const kept: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const [found, tabs, delimiter] = plainLine.exec(lines[at] ?? '') ?? []
    if (found === undefined) return [...kept, ...lines.slice(at)].join('\n')
    kept.push(found)
    if (delimiter === undefined) continue
    const isEnd = (line: string) => (tabs === '-' ? line.replace(/^\t+/, '') : line) === delimiter
    while (at < lines.length && !isEnd(lines[at + 1] ?? delimiter)) at++
  }
  return kept.join('\n')
}
