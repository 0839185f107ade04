import { Failure } from '@switchyard/ground/failure'
import type { Language } from './language.ts'

type Registration = { libraryPath: string; extensions: string[]; languageSymbol?: string; expandoChar?: string }

/** Grammars that are part of the parser, by its own names. */
const builtIn: { readonly [L in Language]?: string } = {
  typescript: 'TypeScript',
  tsx: 'Tsx',
  javascript: 'JavaScript',
}

type Package = { name: string; load: () => Promise<{ default: Registration }> }

/** Grammars that come as a package each, with a native part for each system. */
const packages: { readonly [L in Language]?: Package } = {
  python: { name: '@ast-grep/lang-python', load: () => import('@ast-grep/lang-python') },
  go: { name: '@ast-grep/lang-go', load: () => import('@ast-grep/lang-go') },
  rust: { name: '@ast-grep/lang-rust', load: () => import('@ast-grep/lang-rust') },
  java: { name: '@ast-grep/lang-java', load: () => import('@ast-grep/lang-java') },
  c: { name: '@ast-grep/lang-c', load: () => import('@ast-grep/lang-c') },
  cpp: { name: '@ast-grep/lang-cpp', load: () => import('@ast-grep/lang-cpp') },
  csharp: { name: '@ast-grep/lang-csharp', load: () => import('@ast-grep/lang-csharp') },
  ruby: { name: '@ast-grep/lang-ruby', load: () => import('@ast-grep/lang-ruby') },
  php: { name: '@ast-grep/lang-php', load: () => import('@ast-grep/lang-php') },
  bash: { name: '@ast-grep/lang-bash', load: () => import('@ast-grep/lang-bash') },
}

/** The name by which the parser knows the grammar of a language. */
export function grammarOf(language: Language): string {
  return builtIn[language] ?? language
}

/** Whether the grammar is part of the parser, so that nothing else has to be loaded for it. */
export function isBuiltIn(language: Language): boolean {
  return builtIn[language] !== undefined
}

/** The grammars that this machine can load, and why it cannot load the others. */
export type Grammars = {
  registrations: Record<string, Registration>
  missing: ReadonlyMap<Language, Failure>
}

/**
 * Looks for all grammars that come as packages. The parser takes them once and together, and ends the process when one
 * of them cannot be opened, so each is opened before.
 */
export async function findGrammars(): Promise<Grammars> {
  const registrations: Record<string, Registration> = {}
  const missing = new Map<Language, Failure>()
  for (const [language, { name, load }] of Object.entries(packages) as [Language, Package][]) {
    try {
      registrations[language] = openGrammar((await load()).default)
    } catch (cause) {
      missing.set(language, missingPart(name, cause))
    }
  }
  return { registrations, missing }
}

function openGrammar(registration: Registration): Registration {
  try {
    process.dlopen({ exports: {} }, registration.libraryPath)
  } catch (error) {
    // A grammar is a library and no addon of Node, which says so after it was opened.
    if (!(error instanceof Error && error.message.includes('did not self-register'))) throw error
  }
  return registration
}

/** Takes whatever a package throws when it is loaded: its native part may be away, or of another system. */
export function missingPart(name: string, cause: unknown): Failure {
  const said = cause instanceof Error ? (cause.message.split(/(?<=\.) |\n/)[0] ?? '') : String(cause)
  return new Failure('outside', `the native part of ${name} cannot be loaded: ${said.replace(/\.$/, '')}`, {
    hint: `install it where deepscan is: npm install --include=optional ${name}`,
    cause,
    retryable: false,
  })
}
