import type { Call } from './call.ts'
import { hole } from './command.ts'
import type { Inner } from './inner.ts'

const namings = ['-name', '-iname', '-path', '-ipath', '-wholename']
/** Tests that leave nearly everything in, so that a removal behind them takes the whole folder. */
const unselective =
  /^-(?:type|maxdepth|mindepth|xdev|mount|depth|print|print0|follow|true|delete|a|and|o|or|H|L|P|not|exec.*|ok.*)$/
const executing = ['-exec', '-execdir', '-ok', '-okdir']

/** What `find` removes or runs: its finds stand for themselves where a test names them, else for the whole folder. */
export function unwrapFind({ name, args }: Call): Inner[] {
  if (name.startsWith('fd')) return unwrapFd(args)
  const { starts, tests, calls } = readFind(args)
  const targets = starts.flatMap((start) => found(start, tests))
  const isWhole = !isSelective(tests)
  const inner: Inner[] = tests.includes('-delete') ? [{ argv: ['rm', '-rf', ...targets], via: ['find -delete'] }] : []
  for (const words of calls) {
    const filled = words.flatMap((word) => (word === '{}' ? targets : [word.replaceAll('{}', targets[0] ?? hole)]))
    const isLost = isWhole && losing.includes(filled[0] ?? '')
    inner.push({ argv: isLost ? ['rm', '-r', ...filled.slice(1)] : filled, via: ['find -exec'] })
  }
  return inner
}

/** What `find` or `fd` prints; the wildcard of a folder where no test picks out of it. */
export function foundBy(name: string, args: readonly string[]): readonly string[] {
  if (name.startsWith('fd')) {
    const [pattern = '.', folder = '.'] = args.filter((arg) => !arg.startsWith('-'))
    return [/^[.*]*$/.test(pattern) ? `${folder}/*` : `${folder}/found`]
  }
  const { starts, tests } = readFind(args)
  return isSelective(tests) ? starts.flatMap((start) => found(start, tests)) : starts.map((start) => below(start, '*'))
}

function readFind(args: readonly string[]) {
  const from = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPDO]/.test(arg))
  const given = args.slice(0, from < 0 ? undefined : from).filter((arg) => !arg.startsWith('-'))
  return { starts: given.length === 0 ? ['.'] : given, ...splitCalls(from < 0 ? [] : args.slice(from)) }
}

const below = (start: string, rest: string) => `${start.replace(/\/$/, '')}/${rest}`

/** What takes files away that it is given by name: of a whole folder, that is its removal. */
export const losing = ['rm', 'shred', 'truncate', 'unlink']

/** The tests of find without the commands it runs, and those. */
function splitCalls(args: readonly string[]): { tests: readonly string[]; calls: readonly (readonly string[])[] } {
  const tests: string[] = []
  const calls: (readonly string[])[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    tests.push(word)
    if (!executing.includes(word)) continue
    const begin = at + 1
    while (at + 1 < args.length && args[at + 1] !== ';' && !(args[at + 1] === '+' && args[at] === '{}')) at++
    calls.push(args.slice(begin, at + 1))
    at++
  }
  return { tests, calls }
}

const isNegated = (tests: readonly string[], at: number) => /^(?:!|-not)$/.test(tests[at - 1] ?? '')

function isSelective(tests: readonly string[]): boolean {
  return tests.some((arg, at) => {
    const isAnything = /^-i?(?:name|path|regex|wholename)$/.test(arg) && /^[.*?]+$/.test(tests[at + 1] ?? '')
    return /^-[a-z]/.test(arg) && !unselective.test(arg) && !isAnything && !isNegated(tests, at)
  })
}

function found(start: string, tests: readonly string[]): readonly string[] {
  const isMeant = (at: number) => namings.includes(tests[at] ?? '') && !isNegated(tests, at)
  const names = tests.flatMap((_, at) => (isMeant(at) ? [tests[at + 1] ?? ''] : []))
  if (names.length > 0 && isSelective(tests))
    return [...new Set(names)].map((name) => below(start, name.replace(/^(\*\/|\.?\/)+/, '')))
  return [isSelective(tests) ? below(start, 'found') : start]
}

function unwrapFd(args: readonly string[]): Inner[] {
  const at = args.findIndex((arg) => ['-x', '-X', '--exec', '--exec-batch'].includes(arg))
  if (at < 0) return []
  const words = args.slice(at + 1)
  const [pattern = '.', folder = '.'] = args.slice(0, at).filter((arg) => !arg.startsWith('-'))
  const target = /^[.*]*$/.test(pattern) ? folder : `${folder}/found`
  const argv = words.map((word) => word.replaceAll('{}', target))
  return [{ argv: words.some((word) => word.includes('{')) ? argv : [...argv, target], via: ['fd --exec'] }]
}
