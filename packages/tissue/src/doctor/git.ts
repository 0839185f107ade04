// What git is told about the store, read from its files: tissue never runs git.
import { appendFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { orRefused, readIfThere } from '@switchyard/ground/disk'
import { type Finding, mendable, ok, type Visit, warn } from '@switchyard/topic/examine/finding'
import { describeStore, gitFiles, type IssueStore } from '../store/store.ts'
import { lastMatching, matchesPath } from './git-patterns.ts'

/** Whether git merges the log line by line, leaves the locks alone, and sees the store at all. */
export function examineGit(store: IssueStore, visit: Visit): Finding[] {
  if (describeStore(store).private) return [ok('git', 'the store hides itself from git (tissue init --private)')]
  const missing = Object.entries(gitFiles).flatMap(([name, line]) => examineFile(join(store.path, name), line, visit))
  const repository = store.repository
  const inside = repository && pathInside(repository.top, store.log)
  if (!repository || inside === undefined)
    return [...missing, ok('git', 'the store lies outside the repository of the current folder')]
  const findings = [
    ...missing,
    ...examineIgnored(inside, [join(repository.commonDir, 'info/exclude'), join(repository.top, '.gitignore')]),
    ...examineMerge(inside, join(repository.commonDir, 'info/attributes')),
  ]
  return findings.length > 0 ? findings : [ok('git', 'sees the log and merges it line by line (merge=union)')]
}

function examineFile(path: string, line: string, visit: Visit): Finding[] {
  const text = readIfThere(path) ?? ''
  if (text.split('\n').some((one) => one.trim() === line.trim())) return []
  const begin = text === '' || text.endsWith('\n') ? '' : '\n'
  if (visit.fix) orRefused(`${path} was to be written`, () => appendFileSync(path, `${begin}${line}`))
  return [mendable('git', `${path} lacks the line "${line.trim()}"`, visit)]
}

function examineIgnored(inside: string, files: readonly string[]): Finding[] {
  const rules = files.flatMap((file) => rulesIn(file).map((pattern) => ({ file, pattern })))
  const rule = lastMatching(rules, inside)
  if (!rule || rule.pattern.startsWith('!')) return []
  const advice = `take that line out to share the issues, or say that they are private: tissue init --private`
  return [warn('git', `git ignores the store, as "${rule.pattern}" in ${rule.file} says`, advice)]
}

/** The one file of attributes that comes before the store's own. */
function examineMerge(inside: string, file: string): Finding[] {
  const other = rulesIn(file).filter((line) => {
    const [pattern = '', ...attributes] = line.split(/\s+/)
    const isOther = attributes.some((one) => /^(-merge|!merge|binary|merge(=.*)?)$/.test(one) && one !== 'merge=union')
    return isOther && matchesPath(pattern, inside)
  })
  return other.map((line) =>
    warn('git', `git does not merge the log line by line, as "${line}" in ${file} says`, 'take that line out'),
  )
}

function rulesIn(file: string): string[] {
  const lines = (readIfThere(file) ?? '').split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

/** The path from one folder to a file in it, with slashes; undefined when the file is elsewhere. */
function pathInside(folder: string, file: string): string | undefined {
  const path = relative(folder, file).split(sep).join('/')
  return path.startsWith('../') ? undefined : path
}
