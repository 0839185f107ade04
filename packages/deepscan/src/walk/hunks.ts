/** First and last line of a change, from 1. */
export type Hunk = [first: number, last: number]

/**
 * The lines of each file that a patch without context (`git diff --unified=0`) changes, by path. Where lines were only
 * taken out, the one before them stands for the change.
 */
export function parseHunks(patch: string): ReadonlyMap<string, Hunk[]> {
  const files = new Map<string, Hunk[]>()
  let hunks: Hunk[] | undefined
  let left = 0
  for (const line of patch.split('\n')) {
    // Lines of a hunk may look like anything, also like the head of a file.
    if (left > 0 && /^[-+]/.test(line)) {
      left -= 1
      continue
    }
    if (line.startsWith('\\')) continue
    left = 0
    if (line.startsWith('+++ ')) {
      const path = pathOf(line.slice('+++ '.length))
      hunks = path === undefined ? undefined : []
      if (path !== undefined && hunks !== undefined) files.set(path, hunks)
      continue
    }
    const [, removed = '1', start, added = '1'] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (start === undefined) continue
    left = Number(removed) + Number(added)
    const first = Math.max(1, Number(start))
    hunks?.push([first, Math.max(first, Number(start) + Number(added) - 1)])
  }
  return files
}

/** The path in a `+++` line; undefined for a file that is gone. A path with unusual characters is in quotes. */
function pathOf(text: string): string | undefined {
  const plain = text.startsWith('"') ? unquote(text) : text.replace(/\t$/, '')
  return plain.startsWith('b/') ? plain.slice(2) : undefined
}

const escapes: ReadonlyMap<string, number> = new Map(
  Object.entries({ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }),
)

/** A text in git's quotes: C's escapes, and bytes in octal. */
function unquote(text: string): string {
  const bytes = [...text.slice(1, text.lastIndexOf('"')).matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/g)].map(
    ([, octal, letter, plain]) => {
      if (octal !== undefined) return Buffer.of(Number.parseInt(octal, 8))
      return letter === undefined ? Buffer.from(plain ?? '') : Buffer.of(escapes.get(letter) ?? 63)
    },
  )
  return Buffer.concat(bytes).toString('utf8')
}
