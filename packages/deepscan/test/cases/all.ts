import type { RuledLanguage } from '../../src/syntax/language.ts'
import { bashCases } from './bash.ts'
import type { RuleCases } from './case.ts'
import { goCases } from './go.ts'
import { javascriptCases } from './javascript.ts'
import { pythonCases } from './python.ts'

/** The cases of every rule, in the order of the rules. */
export const allCases: Readonly<Record<string, RuleCases>> = {
  ...javascriptCases,
  ...pythonCases,
  ...goCases,
  ...bashCases,
}

const languages: Readonly<Record<string, RuledLanguage>> = { py: 'python', go: 'go', bash: 'bash', js: 'typescript' }

/** The language that the cases of a rule are written in. */
export function languageOfCases(id: string): RuledLanguage {
  return languages[id.split('/')[0] ?? ''] ?? 'typescript'
}
