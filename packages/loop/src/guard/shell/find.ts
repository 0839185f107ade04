import { hole } from './command.ts'
import type { Inner } from './unwrap.ts'

const namings = ['-name', '-iname', '-path', '-ipath', '-wholename']
/** Tests that leave nearly everything in, so that a removal behind them takes the whole folder. */
const unselective = [
  '-type',
  '-maxdepth',
  '-mindepth',
  '-xdev',
  '-mount',
  '-depth',
  '-print',
  '-print0',
  '-follow',
  '-true',
]
const executing = ['-exec', '-execdir', '-ok', '-okdir']

/** What `find` removes or runs: its finds stand for themselves where a test names them, else for the whole folder. */
export function unwrapFind(name: string, args: readonly string[]): Inner[] {
  if (name.startsWith('fd')) return unwrapFd(args)
  const from = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPDO]/.test(arg))
  const starts = args.slice(0, from < 0 ? undefined : from).filter((arg) => !arg.startsWith('-'))
  const tests = from < 0 ? [] : args.slice(from)
  const targets = (starts.length === 0 ? ['.'] : starts).flatMap((start) => found(start, tests))
  const isWhole = !isSelective(tests)
  const inner: Inner[] = tests.includes('-delete') ? [{ argv: ['rm', '-rf', ...targets], via: ['find -delete'] }] : []
  for (let at = 0; at < tests.length; at++) {
    if (!executing.includes(tests[at] ?? '')) continue
    const end = tests.findIndex(
      (arg, index) => index > at && (arg === ';' || (arg === '+' && tests[index - 1] === '{}')),
    )
    const words = tests.slice(at + 1, end < 0 ? undefined : end)
    const argv = words.flatMap((word) => (word === '{}' ? targets : [word.replaceAll('{}', targets[0] ?? hole)]))
    const [command = '', ...rest] = argv
    inner.push({ argv: isWhole && command === 'rm' ? [command, '-r', ...rest] : argv, via: ['find -exec'] })
  }
  return inner
}

function isSelective(tests: readonly string[]): boolean {
  return tests.some((arg) => /^-[a-z]/.test(arg) && ![...unselective, ...executing, '-delete'].includes(arg))
}

function found(start: string, tests: readonly string[]): readonly string[] {
  const below = (rest: string) => `${start.replace(/\/$/, '')}/${rest}`
  const names = tests.flatMap((arg, at) =>
    namings.includes(arg) && tests[at - 1] !== '!' && tests[at - 1] !== '-not' ? [tests[at + 1] ?? ''] : [],
  )
  if (names.length > 0) return names.map((name) => below(name.replace(/^(\*\/|\.?\/)+/, '')))
  return [isSelective(tests) ? below('found') : start]
}

function unwrapFd(args: readonly string[]): Inner[] {
  const at = args.findIndex((arg) => ['-x', '-X', '--exec', '--exec-batch'].includes(arg))
  if (at < 0) return []
  const words = args.slice(at + 1)
  const target = args.slice(0, at).some((arg) => !arg.startsWith('-') && arg !== '.') ? './found' : '.'
  const argv = words.map((word) => word.replaceAll('{}', target))
  return [{ argv: words.some((word) => word.includes('{')) ? argv : [...argv, target], via: ['fd --exec'] }]
}
