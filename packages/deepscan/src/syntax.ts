import type { NapiConfig, SgNode } from '@ast-grep/napi'
import type { Language } from './language.ts'

/** A node of a syntax tree. Offsets are UTF-16 units from the start of the text that was parsed. */
export type Node = SgNode

/** The declarative part of a rule, in ast-grep's own form. */
export type Matcher = NapiConfig['rule']

/** Parses a text to the root of its tree; a text that breaks the grammar gives a tree with `ERROR` nodes in it. */
export type Parse = (language: Language, text: string) => Node

const grammars: Record<Language, string> = {
  typescript: 'TypeScript',
  tsx: 'Tsx',
  javascript: 'JavaScript',
  python: 'python',
}

let parse: Promise<Parse> | undefined

/**
 * Loads the native parser and its grammars, once a process: a grammar can be registered only once.
 * It is the only importer of ast-grep, and costs nothing until the first call.
 */
export function loadParser(): Promise<Parse> {
  parse ??= load()
  return parse
}

async function load(): Promise<Parse> {
  const [astGrep, python] = await Promise.all([import('@ast-grep/napi'), import('@ast-grep/lang-python')])
  astGrep.registerDynamicLanguage({ python: python.default })
  return (language, text) => astGrep.parse(grammars[language], text).root()
}

/** How many places of a tree the grammar could not read. */
export function countSyntaxErrors(root: Node): number {
  return root.findAll({ rule: { kind: 'ERROR' } }).length
}
