import { embeddedScripts } from '../syntax/embedded.ts'
import { contentOf, type FileLanguage, isParsed, type Language } from '../syntax/language.ts'
import type { ParserPool } from '../syntax/parser-process.ts'
import { indexLines } from '../text/source-text.ts'
import type { Definition } from './definitions.ts'
import { symbolAnswerSchema } from './symbol-answers.ts'

/** A source file, decoded. */
export type Source = { path: string; language: FileLanguage; text: string }

/** What a file defines, by lines, what it says, and where it calls the names that were asked for. */
export type SourceSymbols = {
  path: string
  language: FileLanguage
  definitions: readonly (Definition & { line: number; end_line: number })[]
  says: ReadonlyMap<string, number>
  imports: ReadonlySet<string> | undefined
  calls: readonly number[]
}

export type Lost = { path: string; reason: string }

const aheadMax = 8

/** Finds the symbols of sources, some at a time, in their order. `lose` is told of a file that cannot be parsed. */
export async function* gatherSymbols(
  sources: Iterable<Source>,
  means: { parser: ParserPool; lose: (lost: Lost) => void; calls?: readonly string[] },
): AsyncGenerator<SourceSymbols> {
  const open: Promise<SourceSymbols>[] = []
  for (const source of sources) {
    open.push(symbolsOf(source, means))
    if (open.length < aheadMax) continue
    const first = await open.shift()
    if (first !== undefined) yield first
  }
  for (const each of open) yield await each
}

type Part = { language: Language; text: string; offsetInFile: (offset: number) => number }

/** The file itself where it has a grammar, else the scripts inside it. */
function partsOf({ path, language, text }: Source): readonly Part[] {
  if (isParsed(language)) return [{ language, text, offsetInFile: (offset) => offset }]
  return embeddedScripts(path, language, text)
}

async function symbolsOf(
  source: Source,
  { parser, lose, calls }: { parser: ParserPool; lose: (lost: Lost) => void; calls?: readonly string[] },
): Promise<SourceSymbols> {
  const placeOf = indexLines(source.text)
  const definitions: SourceSymbols['definitions'][number][] = []
  const called: number[] = []
  for (const { language, text, offsetInFile } of partsOf(source)) {
    const answer = await parser.ask({ want: 'symbols', language, text, calls })
    const found = 'lost' in answer ? { failed: answer.lost } : symbolAnswerSchema.parse(JSON.parse(answer.answer))
    if ('failed' in found) {
      lose({ path: source.path, reason: found.failed })
      continue
    }
    for (const definition of found.definitions) {
      const [start, end] = [
        offsetInFile(definition.start),
        offsetInFile(Math.max(definition.end - 1, definition.start)),
      ]
      definitions.push({ ...definition, start, end: end + 1, line: placeOf(start).line, end_line: placeOf(end).line })
    }
    called.push(...found.calls.map((offset) => placeOf(offsetInFile(offset)).line))
  }
  const { path, language } = source
  return { path, language, definitions, says: namesIn(source.text), imports: importedWords(source), calls: called }
}

/** Comments and strings, roughly: what they say is no reference. */
const unsaid = /\/\*[\s\S]*?\*\/|(?:\/\/|(?<![\w$&])#(?!\{)).*|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g

/** How often the code of a text says each name. */
export function namesIn(text: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  for (const [name] of text.replace(unsaid, ' ').matchAll(/[A-Za-z_$\u00c0-\uffff][\w$\u00c0-\uffff]*/g)) {
    if (name.length > 2 && name.length <= 100) names.set(name, (names.get(name) ?? 0) + 1)
  }
  return names
}

/** Languages in which a file names the files that it uses. */
const importing: ReadonlySet<FileLanguage> = new Set([
  ...(['javascript', 'typescript', 'tsx', 'vue', 'svelte', 'astro'] as const),
  ...(['python', 'notebook', 'c', 'cpp', 'ruby'] as const),
])

const importLine =
  /^[ \t]*(?:import|from|#[ \t]*include|require|require_relative)\b.*|\bfrom[ \t]+['"].*|\b(?:require|import)\(.*/gm

/** The words of the lines that import something. */
function importedWords({ language, text }: Source): ReadonlySet<string> | undefined {
  if (!importing.has(language)) return undefined
  const lines = text.match(importLine) ?? []
  return new Set(lines.flatMap((line) => [...(line.match(/[\w$]+/g) ?? []), ...(line.match(/[\w$-]+/g) ?? [])]))
}

/** Whether a language may define symbols. */
export function isMapped(language: FileLanguage | undefined): language is FileLanguage {
  return language !== undefined && contentOf(language) !== 'docs' && contentOf(language) !== 'text'
}
