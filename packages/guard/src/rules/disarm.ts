// What takes away what holds an agent: its hooks, a gate of landing, the run itself, variables that say whose it is.
import { basename } from 'node:path'
import { isWorker } from '../scene/is-worker.ts'
import type { Scene } from '../scene/scene.ts'
import { type Command, nameOf, shownCommand } from '../shell/command.ts'
import { readOptions } from '../shell/options.ts'
import type { Finding } from '../verdict/finding.ts'
import type { RuleId } from '../verdict/rule-table.ts'
import { found, type Judge } from './judge.ts'

/** `loop uninstall`, `cancel`, `land --no-verify`, `review post`, `worktree remove --force`. */
export const judgeLoop: Judge = (command) => found(command, ruleOfLoop(command.argv.slice(1)))

function ruleOfLoop(args: readonly string[]): RuleId | undefined {
  const [verb, noun] = args.filter((arg) => !arg.startsWith('-'))
  if (verb === 'uninstall') return args.includes('--dry-run') ? undefined : 'loop.disarm'
  if (verb === 'cancel') return 'loop.cancel'
  if (verb === 'land') return args.some((arg) => /^--no-v/.test(arg)) ? 'loop.disarm' : undefined
  if (verb === 'review') return noun === 'post' ? 'loop.verdict' : undefined
  const isForced = args.some((arg) => /^--f|^-[a-z]*f/.test(arg))
  return verb === 'worktree' && noun === 'remove' && isForced ? 'loop.disarm' : undefined
}

/** `tissue close` of the issue that is worked here: it is closed when it has landed. */
export const judgeTissue: Judge = (command, { worktree, world }) => {
  const { operands } = readOptions(command.argv.slice(1), { long: ['message=', 'reason=', 'as='], valued: 'm' })
  const [verb, ...ids] = operands
  if (worktree === undefined || verb !== 'close') return []
  // The name of a worktree is that of its issue, and a hash behind it; an issue may be named by a part of its id.
  const name = basename(worktree)
  const own = [world.env.LOOP_ISSUE, name, name.replace(/-[0-9a-f]{8}$/, '')].flatMap((id) => id?.toLowerCase() || [])
  const isOwn = ids.length === 0 || ids.some((id) => own.some((one) => one.includes(id.toLowerCase())))
  return found(command, isOwn && 'loop.disarm')
}

/** The package itself taken off the machine. */
export const judgeUninstall: Judge = (command) => {
  const isOurs = command.argv.some((arg) => /^@switchyard\/(?:loop|tissue|jwz|scope)(?:@|$)/.test(arg))
  const takesOff = command.argv.some((arg) => /^(?:uninstall|remove|rm|un|r|unlink)$/.test(arg))
  return found(command, isOurs && takesOff && 'loop.disarm')
}

/** Variables by which hooks know that they are in an agent of loop, and whose. */
const marks = /^(?:LOOP_(?:ISSUE|WORKTREE|RUN_ID|DEPTH|DISABLE)|IDLE_LOOP_DISABLE)$/

/** What a command does to the variables that hooks go by, and to the hooks of a repository. */
export function judgeVariables(command: Command, scene: Scene): readonly Finding[] {
  const names = changedBy(command)
  const isAlone = scene.worktree !== undefined || isWorker(scene.world.env)
  const isMarked = names.some((name) => marks.test(name) && (isAlone || name.endsWith('DISABLE')))
  const at = shownCommand(command.argv)
  const [program, verb] = [nameOf(command.argv[0] ?? ''), command.argv[1]]
  const isUnhooked =
    scene.worktree !== undefined && /^(?:pre-commit|husky|lefthook)$/.test(program) && verb === 'uninstall'
  return [
    ...(isMarked ? [{ rule: 'loop.disarm' as const, at }] : []),
    ...(isUnhooked ? [{ rule: 'git.hooks-off' as const, at }] : []),
  ]
}

function changedBy({ argv, env }: Command): readonly string[] {
  const [word = '', ...args] = argv
  const name = nameOf(word)
  const own = env.map((one) => one.name)
  if (name === 'env') {
    const { values, operands } = readOptions(args, { valued: 'uCS', long: ['unset=', 'chdir='], stopsAtOperand: true })
    const set = operands.flatMap((operand) => /^(\w+)=/.exec(operand)?.[1] ?? [])
    return [...own, ...set, ...(values.get('u') ?? []), ...(values.get('unset') ?? [])]
  }
  if (!/^(?:export|unset|declare|typeset|readonly|local)$/.test(name)) return own
  return [...own, ...args.map((arg) => arg.replace(/=.*$/s, ''))]
}
