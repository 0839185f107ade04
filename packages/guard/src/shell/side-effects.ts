// How programs that only read write after all, or run something: by an option, a second operand, a variable.
import { type Command, nameOf } from './command.ts'
import { type OptionSpec, type Options, readOptions } from './options.ts'

type Way = OptionSpec & {
  /** Options with which it writes or runs. */
  readonly by?: readonly string[]
  /** More operands than these are what it writes to. */
  readonly operands?: number
  /** Which of its words say so. */
  readonly words?: RegExp
  /** Which option alone says so: the rest is text. */
  readonly option?: RegExp
}

const agents =
  /^--(?:dangerously|yolo|full-auto|allow|permission-mode|approval-mode|add-dir|mcp-config|settings|sandbox)/

const ways = new Map<string, Way>([
  ['sort', { valued: 'okStT', long: ['output=', 'compress-program='], by: ['o', 'output', 'compress-program'] }],
  ['uniq', { valued: 'fsw', operands: 1 }],
  ['xxd', { valued: 'lscgo', by: ['r', 'revert'], operands: 1 }],
  ['yq', { long: ['inplace', 'split-exp='], valued: 's', by: ['i', 'inplace', 'in-place', 's', 'split-exp'] }],
  ['jq', { long: ['in-place'], by: ['in-place'] }],
  ['rg', { long: ['pre=', 'hostname-bin='], by: ['pre', 'hostname-bin'] }],
  ['find', { words: /(?:^|\s)-(?:fprint0?|fprintf|fls|delete)(?:\s|$)/ }],
  [
    'awk',
    { words: /system\s*\(|\|\s*getline|\|&|print[^}]*[>|]|(?:^|\s)(?:-i\s*|--include[= ])inplace|(?:^|\s)-(?:o|p|d)/ },
  ],
  ['gh', { words: /(?:^|\s)(?:-[XfF]|--(?:method|field|raw-field|input)\b)/ }],
  ['jwz', { words: /^export\b.*\s(?:-o|--out)/ }],
  ['claude', { option: agents }],
  ['codex', { option: /^(?:--(?:dangerously|yolo|full-auto|sandbox|config|add-dir)|-[sc])/ }],
  ['gemini', { option: /^(?:--(?:yolo|approval-mode|allowed-tools|extensions)|-[a-z]*y)/ }],
  ['opencode', { option: agents }],
  ['scope', { words: /--access[= ](?!read)|--command\b/ }],
])

/** Variables by which a program loads or runs something else. */
const running =
  /^(?:LD_\w+|DYLD_\w+|PATH|BASH_ENV|ENV|PROMPT_COMMAND|PS4|PYTHON\w+|NODE_OPTIONS|PERL5\w+|RUBYOPT|LESSOPEN|GIT_(?!PAGER$)\w*(?:SSH|DIFF|CONFIG|EDITOR|ASKPASS|PROXY|EXEC|TRACE)\w*|EDITOR|VISUAL)$/

/** Whether a command that is named like a reading one does more. */
export function hasSideEffect({ argv, env }: Command): boolean {
  const [word = '', ...args] = argv
  const name = nameOf(word)
  if (env.some(({ name: variable, value }) => isRunning(variable, value))) return true
  if (/^(?:export|declare|typeset)$/.test(name) && args.some((arg) => isRunning(...split(arg)))) return true
  if (name === 'sed') return sedWrites(args)
  const way = ways.get(name)
  if (way === undefined) return false
  const options = readOptions(args, way)
  const isBy = way.by?.some((option) => options.flags.has(option)) ?? false
  if (way.option !== undefined && args.some((arg) => way.option?.test(arg))) return true
  return isBy || options.operands.length > (way.operands ?? args.length) || (way.words?.test(args.join(' ')) ?? false)
}

const split = (text: string): [string, string] => [text.split('=')[0] ?? '', text.slice(text.indexOf('=') + 1)]

const isRunning = (name: string, value: string) =>
  running.test(name) || (/^(?:GIT_)?PAGER$/.test(name) && !/^(?:cat|less|more|)$/.test(value))

/** `-i`, and the commands of its scripts that write a file or run one: w, W, e, and the flags w and e of s. */
function sedWrites(args: readonly string[]): boolean {
  const options = readOptions(args, {
    valued: 'efl',
    long: [
      'expression=',
      'file=',
      'in-place',
      'line-length=',
      'quiet',
      'silent',
      'regexp-extended',
      'null-data',
      'posix',
    ],
  })
  return (
    options.flags.has('i') || options.flags.has('in-place') || options.flags.has('f') || scriptsOf(options).some(writes)
  )
}

function scriptsOf({ values, operands }: Options): readonly string[] {
  const given = [...(values.get('e') ?? []), ...(values.get('expression') ?? [])]
  return given.length > 0 ? given : operands.slice(0, 1)
}

/** More of a script than this is not looked through. */
const scriptMax = 2000

/** `w`, `W` or `e` behind an address. */
const writing = /(?:^|[;{}\n])(?:[\d$,~+!\s]|\/(?:\\.|[^/\\])*\/)*[wWe](?:\s|$)/
/** The flags `w` and `e` of `s/a/b/`. */
const substituting =
  /(?:^|[;{}\s\d/$!])s([^\w\s])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiIm\d]*[we](?:\s|$|[gpiIm;}])/

const writes = (script: string) => script.length > scriptMax || writing.test(script) || substituting.test(script)
