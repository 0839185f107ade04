// Package managers that fetch a program and run it (npm exec, yarn dlx), or run one that a project needs (poetry run).
import type { Call } from './call.ts'
import { nameOf } from './command.ts'
import type { Inner } from './inner.ts'
import { readOptions } from './options.ts'

/** `rimraf@latest` is rimraf. */
export function withoutVersion(argv: readonly string[]): readonly string[] {
  const [word = '', ...rest] = argv
  const name = nameOf(word)
  const at = name.indexOf('@', 1)
  return at < 0 ? argv : [name.slice(0, at), ...rest]
}

/** `npm exec COMMAND`, `yarn COMMAND`. */
export function unwrapExec({ name, args }: Call): Inner[] {
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

/** Programs that run a command with what a project needs, and the word before it. */
export const projectRunners = new Map(
  Object.entries({
    bundle: ['exec'],
    poetry: ['run'],
    uv: ['run'],
    pipenv: ['run'],
    pdm: ['run'],
    rye: ['run'],
    hatch: ['run'],
    mise: ['exec', 'x'],
    asdf: ['exec'],
    direnv: ['exec'],
    nix: ['run'],
    conda: ['run'],
  }),
)

/** `poetry run COMMAND`, `bundle exec COMMAND`. */
export function unwrapProject({ name, args }: Call): Inner[] {
  const [verb = '', ...rest] = args
  if (!projectRunners.get(name)?.includes(verb)) return []
  const { operands } = readOptions(rest, { valued: 'np', long: ['with=', 'python='], stopsAtOperand: true })
  const argv = operands.slice(name === 'direnv' ? 1 : 0)
  return argv.length === 0 ? [] : [{ argv, via: [`${name} ${verb}`] }]
}
