// What a command prints, where its words tell: enough to know what a pipe feeds into an interpreter.
import { Buffer } from 'node:buffer'
import { type Command, decoded, downloaded, hole, isKnown, nameOf } from './command.ts'
import { readOptions } from './options.ts'
import { pathFrom } from './path-from.ts'
import { namesPrintedBy } from './printed-names.ts'
import type { ShellReading } from './reading.ts'

/** A folder that `mktemp` might have made. */
const madeTemporary = '/tmp/tmp.made-by-mktemp'

const silent = ['cd', 'set', 'export', 'true', 'false', 'test', '[', 'trap', 'unset', 'shopt', 'sleep', ':', 'exit']
const transforming = [
  'tr',
  'sed',
  'awk',
  'cut',
  'openssl',
  'uudecode',
  'gunzip',
  'zcat',
  'xz',
  'bzip2',
  'gzip',
  'base32',
]

const downloading = ['curl', 'wget', 'fetch', 'lynx', 'aria2c', 'http', 'xh']

/** The text a command writes to stdout: known, with holes, or a hole as a whole. */
export function printedBy(command: Command, inner: readonly string[], reading: ShellReading): string {
  const { argv, stdin } = command
  const [path = '', ...args] = argv
  const name = nameOf(path)
  const input = stdin ?? ''
  if (name === 'echo') return printedByEcho(args)
  if (name === 'printf') return printedByPrintf(args)
  if (name === 'pwd') return `${command.cwd}\n`
  if (name === 'mktemp') return madeTemporary
  if (name === 'which') return `${args.at(-1) ?? ''}\n`
  if (name === 'command' && /^-[vV]$/.test(args[0] ?? '')) return `${args.at(-1) ?? ''}\n`
  if (name === 'cat') return printedByCat(command, args, reading)
  if (name === 'tee') return printedByTee(command, args, reading)
  if (name === 'base64' || name === 'xxd') return printedByDecoder(name, args, input)
  if (name === 'rev') return decoded + (isKnown(input) ? [...input.trimEnd()].reverse().join('') : hole)
  if (transforming.includes(name)) return decoded + hole
  if (downloading.includes(name)) return printedByDownload(name, command, args, reading)
  if (silent.includes(name)) return ''
  return namesPrintedBy(command, name, reading) ?? (inner.length > 0 ? inner.join('') : hole)
}

function printedByEcho(args: readonly string[]): string {
  const from = args.findIndex((arg) => !/^-[neE]+$/.test(arg))
  const words = from < 0 ? [] : args.slice(from)
  const isEscaped = args.slice(0, Math.max(0, from)).some((flag) => flag.includes('e'))
  const text = `${words.join(' ')}\n`
  return isEscaped ? unescaped(text) : text
}

export function printedByPrintf([format = '', ...args]: readonly string[]): string {
  let next = 0
  const once = () =>
    unescaped(format).replace(/%(?:[-0-9.]*)([sbqdic%])/g, (_, kind) => (kind === '%' ? '%' : (args[next++] ?? '')))
  let text = once()
  while (next > 0 && next < args.length && text.length < 65536) text += once()
  return text
}

const escapes = new Map(Object.entries({ n: '\n', t: '\t', r: '\r', e: '\u001b', '\\': '\\' }))

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-f]{1,2})|0?([0-7]{1,3})|([ntre\\]))/gi, (_, hex, octal, letter) => {
    if (letter !== undefined) return escapes.get(letter) ?? letter
    return String.fromCharCode(hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16))
  })
}

function printedByCat({ cwd, stdin }: Command, args: readonly string[], { files }: ShellReading): string {
  const { operands } = readOptions(args)
  if (operands.length === 0) return stdin ?? ''
  return operands.map((file) => (file === '-' ? (stdin ?? '') : (files.get(pathFrom(cwd, file)) ?? hole))).join('')
}

function printedByTee({ cwd, stdin }: Command, args: readonly string[], { files }: ShellReading): string {
  for (const file of readOptions(args).operands) files.set(pathFrom(cwd, file), stdin ?? '')
  return stdin ?? ''
}

/** What is downloaded is printed, or kept in a file that an option or the address names. */
function printedByDownload(name: string, { cwd }: Command, args: readonly string[], { files }: ShellReading): string {
  const text = downloaded + hole
  if (name === 'lynx') return text
  const { values, operands, flags } = readOptions(args, {
    valued: name === 'wget' ? 'OPUe' : 'oHXdAbeuT',
    long: ['output=', 'output-document=', 'out=', 'header=', 'request=', 'data='],
  })
  const letter = name === 'wget' ? 'O' : 'o'
  const [file] = values.get(letter) ?? values.get('output') ?? values.get('output-document') ?? values.get('out') ?? []
  const isKept = name === 'wget' || name === 'aria2c' || flags.has('O') || flags.has('remote-name')
  const target = file ?? (isKept ? (operands.at(-1) ?? '').replace(/[?#].*$/, '').replace(/^.*\//, '') : '-')
  if (target === '-' || target === '') return text
  files.set(pathFrom(cwd, target), text)
  return ''
}

function printedByDecoder(name: string, args: readonly string[], input: string): string {
  const { flags } = readOptions(args, { long: ['decode'] })
  const isDecoding = ['d', 'D', 'decode', 'r'].some((flag) => flags.has(flag))
  if (!isDecoding) return decoded + hole
  if (!isKnown(input)) return decoded + hole
  const kind = name === 'base64' ? 'base64' : 'hex'
  return decoded + Buffer.from(input.trim(), kind).toString('utf8').replaceAll(hole, '')
}
