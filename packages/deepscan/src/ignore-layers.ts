import ignore, { type Ignore } from 'ignore'

/** The patterns of one ignore file and the folder that they count from, as a path with slashes (`''` for the top). */
export type IgnoreLayer = { folder: string; patterns: Ignore }

/** Reads the text of an ignore file, in git's syntax. */
export function parseIgnore(folder: string, text: string): IgnoreLayer {
  return { folder, patterns: ignore({ ignorecase: false }).add(text.replace(/^\uFEFF/, '')) }
}

/**
 * Whether git's order of things leaves the path out: the last layer that has a word on it decides, so layers come from the top down.
 * The folders above the path are taken to be in already. A folder's path ends in a slash.
 */
export function isIgnored(layers: readonly IgnoreLayer[], path: string): boolean {
  for (const { folder, patterns } of [...layers].reverse()) {
    const { ignored, unignored } = patterns.test(folder === '' ? path : path.slice(folder.length + 1))
    if (ignored) return true
    if (unignored) return false
  }
  return false
}
