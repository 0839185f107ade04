import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { parseAllDocuments } from 'yaml'
import { loadParser } from '../syntax/parser.ts'
import {
  makeRule,
  type RuleSetting,
  settingSchema,
  type UserRule,
  type UserRules,
  userRuleSchema,
} from './user-rule.ts'

const endings = ['.yml', '.yaml', '.json']
const fileBytesMax = 1_000_000

/**
 * Reads the rules of the user from a file or a folder, with all that lies below it. Each is tried on an empty text, so
 * that one that the parser does not take is told with its file. Exits 2 then, 3 when there is no such folder.
 */
export async function readUserRules(folder: string, shown: string): Promise<UserRules> {
  const rules: UserRule[] = []
  const settings: RuleSetting[] = []
  for (const name of filesOf(folder, shown)) {
    const path = name === '' ? folder : join(folder, name)
    const place = name === '' ? shown : join(shown, name)
    for (const value of readDocuments(path, place)) {
      if (typeof value === 'object' && value !== null && !('rule' in value))
        settings.push(parse(settingSchema, value, place))
      else rules.push(await tried(parse(userRuleSchema, value, place), place))
    }
  }
  const active = rules.filter(({ severity }) => severity !== 'off')
  return { rules: active, settings }
}

function filesOf(folder: string, shown: string): readonly string[] {
  try {
    if (statSync(folder).isFile()) return ['']
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return names.filter((name) => endings.includes(extname(name))).sort()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw new Failure('notFound', `no rules at ${shown}`, { hint: 'name a folder of .yml files, or one file' })
  }
}

function readDocuments(path: string, place: string): readonly unknown[] {
  if (statSync(path).size > fileBytesMax) throw wrong(place, `it is larger than ${fileBytesMax} bytes`)
  // Aliases that multiply are refused: a small file could fill the memory.
  return parseAllDocuments(readFileSync(path, 'utf8')).flatMap((document): unknown[] => {
    if ('empty' in document) return []
    const [error] = document.errors
    if (error !== undefined) throw wrong(place, error.message.split('\n')[0] ?? '')
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return value === null ? [] : Array.isArray(value) ? value : [value]
  })
}

type Parser<T> = {
  safeParse: (value: unknown) => { data?: T; error?: { issues: { path: PropertyKey[]; message: string }[] } }
}

function parse<T>(schema: Parser<T>, value: unknown, place: string): T {
  const { data, error } = schema.safeParse(value)
  if (data !== undefined) return data
  const [issue] = error?.issues ?? []
  throw wrong(place, `${issue?.path.join('.') || 'the rule'}: ${issue?.message ?? 'not understood'}`)
}

async function tried(user: UserRule, place: string): Promise<UserRule> {
  const rule = makeRule(user)
  const [language] = rule.languages ?? []
  if (language === undefined || rule.search === undefined) throw new Error('bug: a rule of the user without a search')
  const parseText = await loadParser(language)
  try {
    parseText(language, '').findAll(rule.search)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw wrong(place, `${user.id}: ${error.message.replace(/\s*\n\s*(?:\|->)?/g, ' ').trim()}`)
  }
  return user
}

function wrong(place: string, reason: string): Failure {
  return new Failure('usage', `${place} holds no rule: ${reason}`, {
    hint: 'docs/deepscan-reference.md shows the form of a rule',
  })
}
