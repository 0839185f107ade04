// Whether a pattern of .gitignore or .gitattributes means a path: enough of git's rules for one file of one folder.

/** Whether `pattern` means the path or, as with ignored folders, one of the folders above it. */
export function matchesPath(pattern: string, path: string): boolean {
  const bare = pattern.replace(/^!/, '').replace(/\/$/, '')
  const isFolder = /\/$/.test(pattern)
  const parts = path.split('/')
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const candidates = isFolder ? prefixes.slice(0, -1) : prefixes
  // A slash anywhere but at the end binds a pattern to its folder.
  if (bare.includes('/')) return candidates.some((one) => globOf(bare.replace(/^\//, '')).test(one))
  return candidates.some((one) => globOf(bare).test(one.slice(one.lastIndexOf('/') + 1)))
}

/** The last of these rules that means the path, which is the one that git goes by. */
export function lastMatching<R extends { readonly pattern: string }>(rules: readonly R[], path: string): R | undefined {
  return rules.findLast(({ pattern }) => matchesPath(pattern, path))
}

const patternOf = new Map(Object.entries({ '**/': '(?:.*/)?', '/**': '/.*', '*': '[^/]*', '?': '[^/]' }))

function globOf(glob: string): RegExp {
  const source = glob.replace(/\*\*\/|\/\*\*|\*|\?|[.+^${}()|\\]/g, (found) => patternOf.get(found) ?? `\\${found}`)
  try {
    return new RegExp(`^${source}$`)
  } catch (error) {
    // Brackets that do not close mean nothing to git either.
    if (error instanceof SyntaxError) return /(?!)/
    throw error
  }
}
