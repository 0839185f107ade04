// Rules of the user, as data: ast-grep's own form with some fields of ours. They hold no code.
import * as z from 'zod'
import { categories, type Severity, severities } from '../finding/severity.ts'
import { type Edit, endOf, type Rule, startOf } from '../rule/rule.ts'
import type { Family, RuledLanguage } from '../syntax/language.ts'
import type { Node } from '../syntax/parser.ts'

const languages: ReadonlyMap<string, RuledLanguage> = new Map([
  ['typescript', 'typescript'],
  ['ts', 'typescript'],
  ['tsx', 'tsx'],
  ['javascript', 'javascript'],
  ['js', 'javascript'],
  ['python', 'python'],
  ['py', 'python'],
  ['go', 'go'],
  ['bash', 'bash'],
])

const severityByName: ReadonlyMap<string, Severity | 'off'> = new Map([
  ['error', 'high'],
  ['warning', 'medium'],
  ['info', 'low'],
  ['hint', 'low'],
  ['off', 'off'],
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
])

const id = z.string().regex(/^[\w-]+(?:\/[\w-]+)?$/, 'an id is a word, or two with a slash between')
const severity = z.enum([...severityByName.keys()] as [string, ...string[]])
const matcher = z.record(z.string(), z.unknown())

/** A rule of the user. What is ast-grep's has its name and meaning there; the rest is ours. */
export const userRuleSchema = z.strictObject({
  id,
  language: z
    .string()
    .transform((name) => name.toLowerCase())
    .pipe(z.enum([...languages.keys()] as [string, ...string[]])),
  rule: matcher,
  constraints: z.record(z.string(), matcher).optional(),
  utils: z.record(z.string(), matcher).optional(),
  severity: severity.default('medium'),
  message: z.string().default(''),
  note: z.string().optional(),
  url: z.string().optional(),
  fix: z.string().optional(),
  files: z.array(z.string()).optional(),
  ignores: z.array(z.string()).optional(),
  metadata: z.unknown().optional(),
  title: z.string().optional(),
  confidence: z.enum(severities).default('medium'),
  category: z.enum(categories).default('correctness'),
  safe: z.boolean().default(false),
})
export type UserRule = z.infer<typeof userRuleSchema>

/** What the user says of a rule that there is: its severity, or that it is off. */
export const settingSchema = z.strictObject({ id, severity })
export type RuleSetting = z.infer<typeof settingSchema>

/** The rules of the user, and what they say of the rules that there are. */
export type UserRules = { rules: readonly UserRule[]; settings: readonly RuleSetting[] }

/** The rule that the data describes. */
export function makeRule(user: UserRule): Rule {
  const language = languages.get(user.language) ?? 'typescript'
  const { constraints, utils, fix } = user
  const rewrite = fix === undefined ? {} : { rewrite: (match: Node) => expandFix(fix, match), ...safetyOf(user) }
  return {
    ...{ id: user.id, family: familyOfLanguage(language), languages: [language] },
    ...{ severity: severityOf(user.severity), confidence: user.confidence, category: user.category },
    ...{
      title: user.title ?? (user.message.split('\n')[0] || user.id),
      message: [user.message, user.note ?? ''].join(' ').trim(),
    },
    ...{
      fired: 'the rules of the user',
      search: { rule: user.rule, ...(constraints && { constraints }), ...(utils && { utils }) },
    },
    ...rewrite,
  }
}

function safetyOf({ safe }: UserRule): Pick<Rule, 'safety' | 'proof'> {
  return safe ? { safety: 'safe', proof: 'The rule itself says so.' } : { safety: 'offer', proof: 'Whether it holds.' }
}

function severityOf(name: string): Severity {
  const known = severityByName.get(name) ?? 'medium'
  return known === 'off' ? 'low' : known
}

/**
 * Built-in rules with what the user says of them, and the user's own. A rule that is named with a severity runs, one
 * that is off does not.
 */
export function withUserRules(builtIn: readonly Rule[], { rules, settings }: UserRules): readonly Rule[] {
  const byId = new Map(settings.map((setting) => [setting.id, severityByName.get(setting.severity) ?? 'off']))
  const known = builtIn.flatMap((rule) => {
    const named = byId.get(rule.id)
    if (named === 'off') return []
    return [named === undefined ? rule : { ...rule, severity: named, fired: rule.fired ?? 'named by the user' }]
  })
  return [...known, ...rules.map(makeRule)]
}

function familyOfLanguage(language: RuledLanguage): Family {
  return language === 'python' || language === 'go' || language === 'bash' ? language : 'javascript'
}

/** The match with `fix` in its place: `$A` stands for what A matched, `$$$A` for all that it did. */
function expandFix(fix: string, match: Node): readonly Edit[] {
  const text = fix.replace(/\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)/g, (_whole, many?: string, one?: string) => {
    if (one !== undefined) return match.getMatch(one)?.text() ?? ''
    const parts = match.getMultipleMatches(many ?? '')
    const [first, last] = [parts[0], parts.at(-1)]
    if (first === undefined || last === undefined) return ''
    return match.text().slice(startOf(first) - startOf(match), endOf(last) - startOf(match))
  })
  return [{ start: startOf(match), end: endOf(match), text }]
}
