import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { systemCode } from '@switchyard/ground/failure'
import { addIgnoreFile, type IgnoreRules, isIgnored, noRules } from './ignore-rules.ts'

const ignoreBytesMax = 1_000_000

/**
 * The ignore files that hold for a folder, from the top of its repository down to its parent; none when they leave
 * the folder out. `names` are the ignore files that count, in their order.
 */
export function rulesAbove(start: string, top: string, commonDir: string, names: readonly string[]): IgnoreRules {
  let rules = names.includes('.gitignore') ? addRules(noRules, commonDir, '', [join('info', 'exclude')]) : noRules
  const parts = slashed(relative(top, start)).split('/').filter(Boolean)
  for (const depth of parts.keys()) {
    const folder = parts.slice(0, depth).join('/')
    rules = addRules(rules, join(top, folder), folder, names)
    if (isIgnored(rules, `${parts.slice(0, depth + 1).join('/')}/`)) return noRules
  }
  return rules
}

/** The rules together with those of the ignore files that lie in `folder`; `from` is its path from the top. */
export function addRules(rules: IgnoreRules, folder: string, from: string, names: readonly string[]): IgnoreRules {
  return names.reduce((known, name) => {
    const text = readIgnoreFile(join(folder, name))
    return text === undefined ? known : addIgnoreFile(known, from, text)
  }, rules)
}

/** What lies in a folder; undefined when it cannot be read or is gone. */
export function listFolder(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (systemCode(error) !== undefined) return undefined
    throw error
  }
}

export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** The text of an ignore file; undefined when there is none that may be read. */
function readIgnoreFile(path: string): string | undefined {
  try {
    const stats = lstatAt(path)
    return stats?.isFile() && stats.size <= ignoreBytesMax ? readFileSync(path, 'utf8') : undefined
  } catch (error) {
    if (systemCode(error) === 'EACCES' || systemCode(error) === 'EPERM') return undefined
    throw error
  }
}
