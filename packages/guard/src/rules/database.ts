// Databases: statements given to a client, and frameworks that reset theirs.

import { nameOf } from '../shell/command.ts'
import type { RuleId } from '../verdict/rule-table.ts'
import { found, foundAny, type Judge } from './judge.ts'

/** Clients that take SQL as an argument or on stdin. */
export const judgeSql: Judge = (command) => {
  const texts = [
    ...command.argv.slice(1).map((arg) => arg.replace(/^-[a-zA-Z](?=\w+ )|^--[\w-]+=/, '')),
    command.stdin ?? '',
  ]
  return foundAny(command, texts.flatMap(rulesOfSql))
}

function rulesOfSql(text: string): RuleId[] {
  if (!/\b(?:drop|truncate|delete|update)\b/i.test(text)) return []
  const bare = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g, ' ')
  return bare.split(';').flatMap((statement): RuleId[] => {
    const sql = statement.trim().replace(/\s+/g, ' ').toLowerCase()
    if (/\bdrop (?:database|schema)\b/.test(sql)) return ['db.drop']
    if (/^(?:alter table .*)?drop (?:table|keyspace|materialized view)\b/.test(sql)) return ['db.drop-table']
    if (/^truncate\b/.test(sql)) return ['db.delete-all']
    const isAll = /^(?:delete from|update \S+ set)\b/.test(sql) && !/\b(?:where|limit)\b/.test(sql)
    return isAll ? ['db.delete-all'] : []
  })
}

/** mongosh and mongo. */
export const judgeMongo: Judge = (command) => {
  const text = [...command.argv.slice(1), command.stdin ?? ''].join('\n')
  const rule = /\bdropDatabase\s*\(/.test(text)
    ? 'db.drop'
    : /\.drop\s*\(\s*\)/.test(text)
      ? 'db.drop-table'
      : undefined
  return found(command, rule, /\.(?:deleteMany|remove)\s*\(\s*\{\s*\}\s*\)/.test(text) && 'db.delete-all')
}

export const judgeRedis: Judge = (command) => {
  const words = [...command.argv.slice(1), ...(command.stdin ?? '').split(/\s+/)]
  return found(command, words.some((word) => /^flush(?:all|db)$/i.test(word)) && 'db.drop')
}

/** dropdb and mysqladmin drop. */
export const judgeDropDatabase: Judge = (command) => {
  const [word = '', ...args] = command.argv
  const isDrop = nameOf(word) === 'dropdb' ? !args.includes('--help') && args.length > 0 : args.includes('drop')
  return found(command, isDrop && 'db.drop')
}

const resets =
  /^(?:db:(?:drop|reset|purge|wipe|truncate_all|migrate:reset|migrate:undo:all|schema:load)(?::\w+)?|migrate:(?:fresh|refresh|reset)|schema:drop|ecto\.(?:drop|reset)|doctrine:(?:database|schema):drop|flush|reset_db|dropAll|drop-all)$/

/** Frameworks' own commands; where the environment says test, the database is there to be reset. */
export const judgeFramework: Judge = (command) => {
  const isTest = command.env.some(
    ({ name, value }) => /^(?:RAILS|RACK|NODE|MIX|APP)_ENV$/.test(name) && /^test(?:ing)?$/.test(value),
  )
  const [word = '', ...args] = command.argv
  if (isTest) return []
  const line = args.filter((arg) => !arg.startsWith('-')).join(' ')
  const byName = new Map([
    ['prisma', /^migrate reset/],
    ['supabase', /^db reset/],
    ['alembic', /^downgrade base/],
    ['drizzle-kit', /^drop/],
    ['flyway', /^clean/],
    ['knex', /^migrate:rollback/],
  ])
  const name = nameOf(word)
  const special = byName.get(name)
  const isSpecial = special?.test(line) && (name !== 'knex' || args.includes('--all'))
  const isForced = name === 'prisma' && /^db push/.test(line) && args.includes('--force-reset')
  return found(
    command,
    (isSpecial || isForced || (special === undefined && args.some((arg) => resets.test(arg)))) && 'db.reset',
  )
}
