import ignore, { type Ignore } from 'ignore'

/** The patterns that hold in a folder: all of the ignore files from the top down to it, the last match decides. */
export type IgnoreRules = Ignore

export const noRules: IgnoreRules = ignore({ ignorecase: false })

/** A pattern with more `**` takes longer for a path than anyone waits, and nobody writes one; it is passed over. */
const anyDepthsMax = 3

function anyDepths(line: string): number {
  return line.split('**/').length - 1
}

/**
 * The rules together with those of an ignore file in `folder` (a path with slashes, `''` for the top), in git's
 * syntax.
 */
export function addIgnoreFile(rules: IgnoreRules, folder: string, text: string): IgnoreRules {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const moved = folder === '' ? lines : lines.flatMap((line) => movePattern(folder, line) ?? [])
  return ignore({ ignorecase: false })
    .add(rules)
    .add(moved.filter((line) => anyDepths(line) <= anyDepthsMax).join('\n'))
}

/** Whether the path is left out. The folders above it are taken to be in. A folder's path ends in a slash. */
export function isIgnored(rules: IgnoreRules, path: string): boolean {
  return rules.ignores(path)
}

/**
 * The pattern of a file in `folder` as the top would write it: all files share one list, because only a list knows
 * which match is last.
 */
function movePattern(folder: string, line: string): string | undefined {
  if (line.startsWith('#') || line.trim() === '') return undefined
  const isNegated = line.startsWith('!')
  const pattern = line.slice(isNegated ? 1 : 0).replace(/^\\(?=[!#])/, '')
  const isAnchored = /\/(?!\s*$)/.test(pattern)
  const from = folder.replace(/[\\*?[\]!# ]/g, '\\$&')
  return `${isNegated ? '!' : ''}/${from}/${isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`
}
