const linesMax = 50

/**
 * A tree of sorted paths down to a depth (0: what lies at the top): folders with the number of their files where they
 * are not entered. `more` says how many lines there was no room for.
 */
export function renderTree(paths: readonly string[], depth: number): { lines: string[]; more: number } {
  const lines: string[] = []
  let open: readonly string[] = []
  const closed = new Map<number, number>()
  for (const path of paths) {
    const parts = path.split('/')
    const folders = parts.slice(0, Math.min(parts.length - 1, depth + 1))
    for (const [level, name] of folders.entries()) {
      const isKnown = folders.slice(0, level + 1).every((folder, at) => open[at] === folder)
      if (!isKnown) lines.push(`${'  '.repeat(level)}${name}/`)
    }
    open = folders
    if (parts.length - 1 <= depth) lines.push(`${'  '.repeat(parts.length - 1)}${parts.at(-1)}`)
    else closed.set(lines.length - 1, (closed.get(lines.length - 1) ?? 0) + 1)
  }
  const counted = lines.map((line, at) => {
    const files = closed.get(at)
    return files === undefined ? line : `${line} ${files} ${files === 1 ? 'file' : 'files'}`
  })
  return { lines: counted.slice(0, linesMax), more: Math.max(0, counted.length - linesMax) }
}
