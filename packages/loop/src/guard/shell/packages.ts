// Package managers that fetch a program and run it: npx, bunx, npm exec, yarn dlx.
import { nameOf } from './command.ts'
import { readOptions } from './options.ts'
import type { Inner } from './unwrap.ts'

/** `rimraf@latest` is rimraf. */
export function withoutVersion(argv: readonly string[]): readonly string[] {
  const [word = '', ...rest] = argv
  const name = nameOf(word)
  const at = name.indexOf('@', 1)
  return at < 0 ? argv : [name.slice(0, at), ...rest]
}

export function unwrapExec(name: string, args: readonly string[]): Inner[] {
  const [verb, ...rest] = args
  // `yarn prisma` is `yarn exec prisma`; others are words of their own, as `pnpm rm`.
  if (
    /^(?:prisma|rimraf|sequelize|sequelize-cli|typeorm|knex|cdk|serverless|sls|supabase|drizzle-kit)$/.test(verb ?? '')
  ) {
    return [{ argv: args, via: [name] }]
  }
  if (verb !== 'exec' && verb !== 'x' && verb !== 'dlx') return []
  const { values, operands } = readOptions(rest, { valued: 'cp', long: ['call=', 'package='], stopsAtOperand: true })
  const script = (values.get('c') ?? values.get('call'))?.[0]
  if (script !== undefined) return [{ script, via: [`${name} exec`] }]
  return operands.length === 0 ? [] : [{ argv: withoutVersion(operands), via: [`${name} exec`] }]
}
