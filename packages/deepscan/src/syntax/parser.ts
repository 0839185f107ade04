import type { NapiConfig, SgNode } from '@ast-grep/napi'
import { Failure } from '@switchyard/ground/failure'
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

let parser: Promise<typeof import('@ast-grep/napi')> | undefined
let python: Promise<void> | undefined

/**
 * Loads the native parser and the grammar of a language, each once a process: a grammar can be registered only once.
 * It is the only importer of ast-grep, and costs nothing until the first call. Failure `outside` where the native part
 * of one of them is not there, with what to install.
 */
export async function loadParser(language: Language): Promise<Parse> {
  parser ??= orMissing('@ast-grep/napi', import('@ast-grep/napi'))
  const astGrep = await parser
  if (language === 'python') {
    python ??= orMissing('@ast-grep/lang-python', registerPython(astGrep))
    await python
  }
  return (each, text) => astGrep.parse(grammars[each], text).root()
}

async function registerPython({ registerDynamicLanguage }: typeof import('@ast-grep/napi')): Promise<void> {
  registerDynamicLanguage({ python: (await import('@ast-grep/lang-python')).default })
}

/** Takes whatever a package throws when it is loaded: its native part may be away, or of another system. */
async function orMissing<T>(name: string, loaded: Promise<T>): Promise<T> {
  try {
    return await loaded
  } catch (cause) {
    const said = cause instanceof Error ? (cause.message.split(/(?<=\.) |\n/)[0] ?? '') : String(cause)
    throw new Failure('outside', `the native part of ${name} cannot be loaded: ${said.replace(/\.$/, '')}`, {
      hint: `install it where deepscan is: npm install --include=optional ${name}`,
      cause,
      retryable: false,
    })
  }
}

/** How many places of a tree the grammar could not read. */
export function countSyntaxErrors(root: Node): number {
  return root.findAll({ rule: { kind: 'ERROR' } }).length
}
