// Commands run as another user, or on another machine.
import type { Call } from './call.ts'
import { hole } from './command.ts'
import type { Inner } from './inner.ts'
import { readOptions } from './options.ts'

export function unwrapSsh({ command: { stdin }, args }: Call): Inner[] {
  const { operands } = readOptions(args, { valued: 'BbcDEeFIiJLlmOopQRSWw', stopsAtOperand: true })
  const words = operands.slice(1)
  const place = { via: ['ssh'], remote: true, cwd: hole }
  if (words.length > 0) return [{ script: words.join(' '), stdin, ...place }]
  return stdin === undefined ? [] : [{ script: stdin, ...place }]
}

/** su, runuser and sg take a text by -c or stdin, runuser -u a command, sg one as its last word. */
export function unwrapUser({ command: { stdin }, name, args }: Call): Inner[] {
  const long = ['command=', 'user=', 'group=', 'shell=', 'session-command=']
  const { values, operands, flags } = readOptions(args, { valued: `cgsGw${name === 'runuser' ? 'u' : ''}`, long })
  const texts = [...(values.get('c') ?? []), ...(values.get('command') ?? []), ...(values.get('session-command') ?? [])]
  const via = [`${name} -c`]
  if (texts.length > 0) return texts.map((script) => ({ script, via }))
  if (name === 'runuser' && (flags.has('u') || flags.has('user')))
    return operands.length === 0 ? [] : [{ argv: wordsBehind(args, operands[0]), via: [name] }]
  if (name === 'sg' && operands[1] !== undefined) return [{ script: operands[1], via }]
  return stdin === undefined || name === 'script' ? [] : [{ script: stdin, via: [name] }]
}

/** From a word on, with the options behind it. */
const wordsBehind = (args: readonly string[], first = '') => args.slice(args.lastIndexOf(first))
