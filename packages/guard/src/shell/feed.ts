// Programs that run a command on what they read: xargs, and parallel.
import type { Call } from './call.ts'
import { hole, isKnown, nameOf } from './command.ts'
import { losing } from './find.ts'
import type { Inner } from './inner.ts'
import { limits } from './limits.ts'
import { readOptions } from './options.ts'
import { pathFrom } from './path-from.ts'

const callsMax = 32

/** Whether a command ends where the text of a script is wanted: `sh -c`. */
const wantsScript = (argv: readonly string[]) => argv.length > 1 && /^-[a-z]*c$/.test(argv.at(-1) ?? '')

export function unwrapXargs({ command, args, reading }: Call): Inner[] {
  const long = ['replace', 'max-args=', 'max-procs=', 'delimiter=', 'arg-file=', 'max-lines', 'max-chars=', 'null']
  const { flags, values, operands } = readOptions(args, { valued: 'InPdELsa', long, stopsAtOperand: true })
  const isReplacing = flags.has('i') || flags.has('replace')
  const marker = (values.get('I') ?? values.get('replace'))?.[0] ?? (isReplacing ? '{}' : undefined)
  const [file] = values.get('a') ?? values.get('arg-file') ?? []
  const input = file === undefined ? command.stdin : reading.files.get(pathFrom(command.cwd, file))
  const argv = operands.length === 0 ? ['echo'] : operands
  const via = ['xargs']
  // Names that stand in a file nobody has read.
  if (file !== undefined && input === undefined && losing.includes(nameOf(argv[0] ?? '')))
    return [{ argv: ['rm', '-r', ...argv.slice(1), hole], via }]
  const isByLine = marker !== undefined || flags.has('0') || flags.has('null') || wantsScript(argv)
  const delimiter = (values.get('d') ?? values.get('delimiter'))?.[0]
  const read = itemsOf(input, isByLine ? '\n' : delimiter)
  if (marker === undefined && !wantsScript(argv)) return [{ argv: [...argv, ...read], via, stdin: undefined }]
  return read.slice(0, callsMax).map((value) => {
    const words = marker === undefined ? [...argv, value] : argv.map((word) => word.replaceAll(marker, value))
    return { argv: words, via, stdin: undefined }
  })
}

/** What is read, apart at blanks, or at a delimiter and the ends of lines; a hole where nobody knows it. */
function itemsOf(input: string | undefined, delimiter: string | undefined): readonly string[] {
  const text = (input ?? hole).trim()
  if (text.length > limits.valueLength || (delimiter === undefined && !isKnown(text))) return [hole]
  const at = delimiter === undefined ? /\s+/ : /[\n\r]+/
  const items = text.split(at).flatMap((item) => (delimiter === undefined ? item : item.split(delimiter)))
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

const parallelLong = `jobs= colsep= arg-file= results= joblog= tmpdir= workdir= delay= timeout= retries= halt= max-procs=
  sshlogin= memfree= load= block= arg-sep= max-args= max-lines= tagstring= env= nice= delimiter= shuf keep-order`

export function unwrapParallel({ command, args }: Call): Inner[] {
  const { operands } = readOptions(args, {
    valued: 'jINnLPSa',
    long: parallelLong.split(/\s+/),
    stopsAtOperand: true,
  })
  const at = operands.findIndex((word) => /^:::/.test(word))
  const words = at < 0 ? operands : operands.slice(0, at)
  const isFile = operands[at]?.startsWith('::::') === true
  const inputs =
    at < 0 ? (command.stdin ?? hole).trim().split('\n') : operands.slice(at + 1).filter((word) => !/^:::/.test(word))
  const line = words.join(' ')
  const via = ['parallel']
  return (isFile ? [hole] : inputs).slice(0, callsMax).map((value) => {
    if (wantsScript(words)) return { argv: [...words, value], via }
    const script = line === '' ? value : line.includes('{}') ? line.replaceAll('{}', value) : `${line} ${value}`
    return { script, via }
  })
}
