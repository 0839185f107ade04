/** A grammar that a file is read with. */
export type Language = 'typescript' | 'tsx' | 'javascript' | 'python'

/** Languages that share their rules. */
export type Family = 'javascript' | 'python'

const languages: Readonly<Record<string, Language>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
  pyi: 'python',
}

/** The language of a file by the ending of its name, or nothing when there are no rules for it. */
export function findLanguage(path: string): Language | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1)
  return Object.hasOwn(languages, ending) ? languages[ending] : undefined
}

/** The family whose rules apply to a language. */
export function familyOf(language: Language): Family {
  return language === 'python' ? 'python' : 'javascript'
}
