import type { NapiConfig, SgNode } from '@ast-grep/napi'
import type { Failure } from '@switchyard/ground/failure'
import { findGrammars, grammarOf, isBuiltIn, missingPart } from './grammars.ts'
import type { Language } from './language.ts'

/** A node of a syntax tree. Offsets are UTF-16 units from the start of the text that was parsed. */
export type Node = SgNode

/** The declarative part of a rule, in ast-grep's own form. */
export type Matcher = NapiConfig['rule']

/** A whole search, with constraints and named matchers. */
export type Search = NapiConfig

/** Parses a text to the root of its tree; a text that breaks the grammar gives a tree with `ERROR` nodes in it. */
export type Parse = (language: Language, text: string) => Node

let parser: Promise<typeof import('@ast-grep/napi')> | undefined
let missing: Promise<ReadonlyMap<Language, Failure>> | undefined

/**
 * Loads the native parser and the grammar of a language, each once a process: grammars can be registered only once,
 * and all together. It is the only importer of ast-grep, and costs nothing until the first call. Failure `outside`
 * where the native part of one of them is not there, with what to install.
 * Threads share what is registered: `isRegistered` says that the first has seen to it.
 */
export async function loadParser(language: Language, { isRegistered = false } = {}): Promise<Parse> {
  parser ??= loadNative()
  const astGrep = await parser
  if (!isBuiltIn(language) && !isRegistered) {
    missing ??= registerGrammars(astGrep)
    const failure = (await missing).get(language)
    if (failure !== undefined) throw failure
  }
  return (each, text) => astGrep.parse(grammarOf(each), text).root()
}

async function loadNative(): Promise<typeof import('@ast-grep/napi')> {
  try {
    return await import('@ast-grep/napi')
  } catch (cause) {
    throw missingPart('@ast-grep/napi', cause)
  }
}

async function registerGrammars({ registerDynamicLanguage }: typeof import('@ast-grep/napi')) {
  const { registrations, missing } = await findGrammars()
  registerDynamicLanguage(registrations)
  return missing
}
