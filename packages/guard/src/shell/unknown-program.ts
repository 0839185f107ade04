// A program that nobody knows: what stands among its operands may be a command that it runs.

import { type Command, nameOf } from './command.ts'
import type { Inner } from './inner.ts'
import { readOptions } from './options.ts'
import { judgedAlways, judgedWith } from './programs.ts'

const judged = new Set([...judgedAlways, ...judgedWith.keys()])

/** Whether the rules speak of a program. */
export const isJudged = (name: string) => judged.has(name) || judged.has(name.replace(/\..*$/, ''))

/** Programs whose words are text, names or files, never a command. */
const textual = new Set(
  `[ [[ : true false test echo printf cat ls dir less more head tail grep egrep fgrep rg ag ack sed tr cut sort uniq wc
  diff cmp comm file stat which whereis type whatis apropos man info help tldr basename dirname realpath readlink cd
  pushd popd export declare typeset local readonly unset set shift read return exit wait jobs hash mkdir touch ln
  jq yq base64 md5sum sha256sum seq date jwz tissue scope deepscan loop claude codex gemini opencode llm aider ollama
  curl wget http notify-send say logger wall mail wl-copy pbcopy xclip code vim nvim vi nano emacs open xdg-open`.split(
    /\s+/,
  ),
)

/** Options whose value is a text for people. */
const prose =
  /^(?:-m|-t|-b|-k|-H|--?(?:message|title|body|subject|description|text|name|comment|notes?|prompt|data\S*|header|grep|label|summary|reason|query|pattern))$/

/** How often a command is looked for in what another of the kind would run. */
const levelsMax = 4

/** Commands and texts of commands among the operands of a program that nobody knows. */
export function unwrapUnknown(command: Command, isFollowed: (name: string) => boolean): Inner[] {
  const [word = '', ...args] = command.argv
  const name = nameOf(word)
  if (textual.has(name) || command.via.length > levelsMax) return []
  const via = [name]
  const isCommand = (text: string) => isJudged(nameOf(text)) || isFollowed(nameOf(text))
  const hits = args.flatMap((arg, at) => (isCommand(arg) && !isProse(args[at - 1]) ? [at] : []))
  // The first, and the last: a name between them may be an operand.
  const from = [...new Set([hits[0], hits.at(-1)])].flatMap((at) => (at === undefined ? [] : [at]))
  const isText = (arg: string, at: number) => {
    const space = arg.search(/\s/)
    return space > 0 && arg.length < 4096 && isCommand(arg.slice(0, space)) && !isProse(args[at - 1])
  }
  const { values } = readOptions(args, { valued: 'c' })
  const texts = new Set([...args.filter(isText), ...(values.get('c') ?? [])])
  return [
    ...from.map((at): Inner => ({ argv: args.slice(at), via })),
    ...[...texts].slice(0, 8).map((script): Inner => ({ script, via })),
  ]
}

const isProse = (before: string | undefined) => before !== undefined && prose.test(before)
