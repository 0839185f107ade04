// Programs that are given the text of a command among their words.
import type { Call } from './call.ts'
import type { Inner } from './inner.ts'
import { readOptions } from './options.ts'

/** `watch` and `entr`: all operands are one text. */
export function unwrapWatch({ name, args }: Call): Inner[] {
  const { operands } = readOptions(args, { valued: 'n', long: ['interval='], stopsAtOperand: true })
  return operands.length === 0 ? [] : [{ script: operands.join(' '), via: [name] }]
}

/** `trap TEXT SIGNAL`: at a time that nobody knows. */
export function unwrapTrap({ args: [text] }: Call): Inner[] {
  return text === undefined || text.startsWith('-') ? [] : [{ script: text, via: ['trap'], isLater: true }]
}

/** `alias NAME=TEXT`. */
export function unwrapAlias({ args }: Call): Inner[] {
  return args.flatMap((arg) => {
    const equals = arg.indexOf('=')
    return equals < 0 ? [] : [{ script: arg.slice(equals + 1), via: ['alias'] }]
  })
}

/** `at` and `batch` run what they read. */
export function unwrapAt({ command: { stdin }, name }: Call): Inner[] {
  return stdin === undefined ? [] : [{ script: stdin, via: [name] }]
}

/** A command that a terminal multiplexer starts or types. */
export function unwrapTerminal({ name, args }: Call): Inner[] {
  const { operands } = readOptions(args, { valued: 'tncFsxyeLSfp' })
  const words = name === 'tmux' ? operands.slice(1) : operands
  return words.filter((word) => word.includes(' ')).map((script) => ({ script, via: [name] }))
}

/** What loop is told to run: agents by their names are nobody's text. */
export function unwrapLoop({ args }: Call): Inner[] {
  const { values } = readOptions(args, { long: ['with=', 'verify=', 'check=', 'reviewer='] })
  const texts = [...values].flatMap(([name, given]) => (/^(?:with|verify|check|reviewer)$/.test(name) ? given : []))
  return texts.filter((text) => /\s/.test(text)).map((script): Inner => ({ script, via: ['loop'] }))
}

/** patch writes below a folder, or onto the file that it is given. */
export function unwrapPatch({ args }: Call): Inner[] {
  const { values, operands } = readOptions(args, {
    valued: 'dioprBDFVYzg',
    long: ['directory=', 'output=', 'input=', 'strip='],
  })
  const [folder = '.'] = values.get('d') ?? values.get('directory') ?? []
  const [file = operands[0] ?? '_'] = values.get('o') ?? values.get('output') ?? []
  return [{ argv: ['tee', file.startsWith('/') ? file : `${folder}/${file}`], via: ['patch'], stdin: undefined }]
}
