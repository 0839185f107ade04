/** Languages that share their rules. */
export type Family = 'javascript' | 'python' | 'go' | 'bash'

/** The kind of content that decides how large a chunk may be: code, data, prose, or markup. */
export type Content = 'code' | 'config' | 'docs' | 'text' | 'markup'

type LanguageEntry = {
  content: Content
  /** Endings of file names, in lower case. */
  endings: readonly string[]
  /** Whole file names. */
  names?: readonly string[]
  /** Programs that a first line `#!` calls, without their version. */
  interpreters?: readonly string[]
  family?: Family
}

/** Languages with a grammar. A new one is an entry here, a line in `grammars.ts` and one in `kinds.ts`. */
const parsed = {
  typescript: {
    content: 'code',
    endings: ['ts', 'mts', 'cts'],
    interpreters: ['deno', 'ts-node', 'tsx', 'bun'],
    family: 'javascript',
  },
  tsx: { content: 'code', endings: ['tsx'], family: 'javascript' },
  javascript: {
    content: 'code',
    endings: ['js', 'mjs', 'cjs', 'jsx'],
    interpreters: ['node', 'nodejs'],
    family: 'javascript',
  },
  python: {
    content: 'code',
    endings: ['py', 'pyi', 'pyw'],
    names: ['SConstruct', 'SConscript', 'wscript'],
    interpreters: ['python', 'pypy'],
    family: 'python',
  },
  go: { content: 'code', endings: ['go'], family: 'go' },
  rust: { content: 'code', endings: ['rs'] },
  java: { content: 'code', endings: ['java'] },
  c: { content: 'code', endings: ['c', 'h'] },
  cpp: { content: 'code', endings: ['cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'ipp', 'inl', 'tpp', 'cu', 'ino'] },
  csharp: { content: 'code', endings: ['cs', 'csx'] },
  ruby: {
    content: 'code',
    endings: ['rb', 'rake', 'gemspec', 'ru'],
    names: ['Gemfile', 'Rakefile', 'Podfile', 'Vagrantfile', 'Brewfile'],
    interpreters: ['ruby', 'jruby'],
  },
  php: { content: 'code', endings: ['php', 'phtml'], interpreters: ['php'] },
  bash: {
    content: 'code',
    endings: ['sh', 'bash', 'zsh', 'ksh', 'bats'],
    names: ['.bashrc', '.bash_profile', '.bash_aliases', '.profile', '.zshrc', '.envrc', 'PKGBUILD'],
    interpreters: ['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh', 'bats'],
    family: 'bash',
  },
} as const satisfies Record<string, LanguageEntry>

/** Languages that are told apart by name and cut without a grammar. */
const unparsed = {
  markdown: { content: 'docs', endings: ['md', 'markdown', 'mdx'] },
  restructuredtext: { content: 'docs', endings: ['rst'] },
  asciidoc: { content: 'docs', endings: ['adoc', 'asciidoc'] },
  text: { content: 'text', endings: ['txt', 'text'] },
  json: { content: 'config', endings: ['json', 'jsonc', 'json5', 'webmanifest'], names: ['.babelrc', '.eslintrc'] },
  jsonl: { content: 'config', endings: ['jsonl', 'ndjson'] },
  yaml: { content: 'config', endings: ['yaml', 'yml'] },
  toml: { content: 'config', endings: ['toml'] },
  ini: { content: 'config', endings: ['ini', 'cfg', 'conf', 'properties'], names: ['.editorconfig', '.npmrc'] },
  notebook: { content: 'config', endings: ['ipynb'] },
  html: { content: 'markup', endings: ['html', 'htm', 'xhtml'] },
  vue: { content: 'code', endings: ['vue'] },
  svelte: { content: 'code', endings: ['svelte'] },
  astro: { content: 'code', endings: ['astro'] },
  css: { content: 'code', endings: ['css', 'scss', 'sass', 'less'] },
  xml: { content: 'code', endings: ['xml', 'xsd', 'xsl', 'svg'] },
  sql: { content: 'code', endings: ['sql'] },
  dockerfile: { content: 'config', endings: ['dockerfile'], names: ['Dockerfile', 'Containerfile'] },
  makefile: {
    content: 'config',
    endings: ['mk'],
    names: ['Makefile', 'GNUmakefile', 'makefile'],
    interpreters: ['make'],
  },
  kotlin: { content: 'code', endings: ['kt', 'kts'] },
  swift: { content: 'code', endings: ['swift'] },
  scala: { content: 'code', endings: ['scala', 'sc'] },
  lua: { content: 'code', endings: ['lua'], interpreters: ['lua', 'luajit'] },
  perl: { content: 'code', endings: ['pl', 'pm'], interpreters: ['perl'] },
  r: { content: 'code', endings: ['r'], interpreters: ['Rscript'] },
  dart: { content: 'code', endings: ['dart'] },
  elixir: { content: 'code', endings: ['ex', 'exs'], interpreters: ['elixir'] },
  objectivec: { content: 'code', endings: ['m', 'mm'] },
  fish: { content: 'code', endings: ['fish'], interpreters: ['fish'] },
  powershell: { content: 'code', endings: ['ps1', 'psm1'], interpreters: ['pwsh'] },
} as const satisfies Record<string, LanguageEntry>

/** A language that has a grammar. */
export type Language = keyof typeof parsed

/** A language that has rules. */
export type RuledLanguage = {
  [L in Language]: (typeof parsed)[L] extends { family: Family } ? L : never
}[Language]

/** A language that files are told apart by. */
export type FileLanguage = Language | keyof typeof unparsed

/** The languages that have a grammar. */
export const parsedLanguages = Object.keys(parsed) as readonly Language[]

/** All languages that files are told apart by. */
export const fileLanguages = Object.keys({ ...parsed, ...unparsed }) as readonly FileLanguage[]

const table: ReadonlyMap<FileLanguage, LanguageEntry> = new Map(
  Object.entries<LanguageEntry>({ ...parsed, ...unparsed }) as [FileLanguage, LanguageEntry][],
)
const byEnding = indexBy(({ endings }) => endings)
const byName = indexBy(({ names }) => names)
const byInterpreter = indexBy(({ interpreters }) => interpreters)

function indexBy(keys: (entry: LanguageEntry) => readonly string[] | undefined): ReadonlyMap<string, FileLanguage> {
  return new Map([...table].flatMap(([language, entry]) => (keys(entry) ?? []).map((key) => [key, language] as const)))
}

/**
 * The language of a file: by its name, then by the ending of its name, then by the program that its first line calls.
 * `head` is how the file begins; a header of C is C++ where its head says so.
 */
export function languageOf(path: string, head = ''): FileLanguage | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const known = byName.get(name) ?? byName.get(name.replace(/\..*$/, '')) ?? byEnding.get(endingOf(name))
  if (known === 'c' && endingOf(name) === 'h' && headOfCpp.test(head)) return 'cpp'
  return known ?? languageOfShebang(head)
}

const headOfCpp = /^\s*(?:class\s+\w+|namespace\b|template\s*<|using\s+namespace\b|public:|private:|protected:)/m

function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}

/** The language that a first line such as `#!/usr/bin/env -S python3.11 -u` names. */
function languageOfShebang(head: string): FileLanguage | undefined {
  if (!head.startsWith('#!')) return undefined
  const [line = ''] = head.slice(2).split('\n', 1)
  const words = line.trim().split(/\s+/)
  const isProgram = (word: string) => !word.startsWith('-') && !word.includes('=') && !/(?:^|\/)env$/.test(word)
  const program = words.find(isProgram)?.replace(/^.*\//, '') ?? ''
  return byInterpreter.get(program) ?? byInterpreter.get(program.replace(/[\d.]+$/, ''))
}

/** Whether the language has a grammar. */
export function isParsed(language: string | null | undefined): language is Language {
  return language != null && Object.hasOwn(parsed, language)
}

/** The kind of content that files of a language hold; plain text where it is unknown. */
export function contentOf(language: FileLanguage | undefined): Content | undefined {
  return language === undefined ? undefined : table.get(language)?.content
}

/** The language of a file by its name, or nothing when there are no rules for it. */
export function findLanguage(path: string): RuledLanguage | undefined {
  const language = languageOf(path)
  return isParsed(language) && isRuled(language) ? language : undefined
}

function isRuled(language: Language): language is RuledLanguage {
  return 'family' in parsed[language]
}

/** The family whose rules apply to a language. */
export function familyOf(language: RuledLanguage): Family {
  return parsed[language].family
}
