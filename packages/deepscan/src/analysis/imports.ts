import { posix } from 'node:path'
import type { Source } from './place.ts'

/** An import that runs when the file is loaded: where it stands, and the file that it names. */
export type Import = { start: number; end: number; target: string }

const fromJavascript =
  /^(?:import|export)\s(?!type\b)[^;'"`]*?from\s*['"](\.[^'"\n]+)['"]|^import\s*['"](\.[^'"\n]+)['"]|^(?:const|let|var)\s[^=\n]+=\s*require\(\s*['"](\.[^'"\n]+)['"]\s*\)/gm
const fromPython = /^from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n(]+)|^import\s+([\w.]+)/gm

const endings = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']

/** The imports of a file of the tree that name another file of it. */
export function importsOf({ path, language, text }: Source, paths: ReadonlySet<string>): readonly Import[] {
  if (language === 'python') return pythonImports(path, text, paths)
  if (!['javascript', 'typescript', 'tsx'].includes(language)) return []
  return [...text.matchAll(fromJavascript)].flatMap((match) => {
    const named = posix.join(posix.dirname(path), match[1] ?? match[2] ?? match[3] ?? '')
    const bare = named.replace(/\.([cm]?)jsx?$/, '')
    const candidates = [...endings.map((ending) => named + ending), ...endings.slice(1).map((ending) => bare + ending)]
    const inFolder = endings.slice(1).map((ending) => `${named}/index${ending}`)
    const target = [...candidates, ...inFolder].find((candidate) => paths.has(candidate))
    return target === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, target }]
  })
}

function pythonImports(path: string, text: string, paths: ReadonlySet<string>): readonly Import[] {
  return [...text.matchAll(fromPython)].flatMap((match) => {
    const [whole, from, names = '', plain] = match
    const modules = from === undefined ? [plain ?? ''] : [...namesIn(names).map((name) => `${from}.${name}`), from]
    const targets = new Set(modules.flatMap((module) => pythonFile(path, module, paths) ?? []))
    // A name of a package is its file, or the package's own when there is none.
    const [target] = targets
    return target === undefined ? [] : [{ start: match.index, end: match.index + whole.trimEnd().length, target }]
  })
}

function namesIn(names: string): readonly string[] {
  return names
    .replace(/[()]/g, '')
    .split(',')
    .flatMap((name) => /^\s*(\w+)/.exec(name)?.[1] ?? [])
}

function pythonFile(path: string, module: string, paths: ReadonlySet<string>): string | undefined {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0
  const parts = module.slice(dots).split('.').filter(Boolean)
  const here = posix.dirname(path)
  const tops = dots > 0 ? [posix.join(here, ...Array.from({ length: dots - 1 }, () => '..'))] : ['.', 'src']
  return tops
    .flatMap((top) => [`${posix.join(top, ...parts)}.py`, posix.join(top, ...parts, '__init__.py')])
    .find((candidate) => paths.has(candidate) && candidate !== path)
}
