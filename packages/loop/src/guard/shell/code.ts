// One-line programs of other languages: what they plainly remove or run. Best effort: a program can always hide it.
import { type Command, hole } from './command.ts'
import { readOptions } from './options.ts'
import type { Inner } from './unwrap.ts'

/** Options that give a program's text, by language. */
const textOptions: Readonly<Record<string, { letters: string; long: readonly string[] }>> = {
  python: { letters: 'c', long: [] },
  perl: { letters: 'eE', long: [] },
  ruby: { letters: 'e', long: [] },
  php: { letters: 'r', long: [] },
  node: { letters: 'ep', long: ['eval=', 'print='] },
  bun: { letters: 'ep', long: ['eval=', 'print='] },
  deno: { letters: '', long: [] },
}

const languageOf = (name: string) => name.replace(/[\d.]+$/, '')

export const isLanguage = (name: string) => Object.hasOwn(textOptions, languageOf(name))

/** What a program given on the command line or on stdin removes and runs. */
export function unwrapCode(command: Command, name: string, args: readonly string[]): Inner[] {
  const { letters, long } = textOptions[languageOf(name)] ?? { letters: '', long: [] }
  const { values, operands } = readOptions(args, { valued: `${letters}WXmIM`, long, stopsAtOperand: true })
  const given = [...letters, ...long.map((option) => option.replace('=', ''))].flatMap((key) => values.get(key) ?? [])
  const isEval = languageOf(name) === 'deno' && operands[0] === 'eval'
  const isModule = values.get('m') !== undefined
  const texts = isEval ? operands.slice(1, 2) : given
  if (texts.length > 0) return texts.flatMap((text) => readCode(text, name))
  // `python manage.py flush`, `php artisan migrate:fresh`: the file is the program.
  if (operands.length > 0 && operands[0] !== '-') return isModule ? [] : [{ argv: operands, via: [name] }]
  return command.stdin === undefined ? [] : readCode(command.stdin, name)
}

const text = String.raw`(?:[rbfu]?(["'\x60])((?:(?!\1)[^\\]|\\.)*)\1)?`
const removals = new RegExp(
  String.raw`\b(?:rmtree|remove_tree|rm_rf|rm_r|remove_dir_all|rmSync|rmdirSync|rimraf|fs\.rm|promises\.rm|Deno\.remove(?:Sync)?)\s*\(?\s*(?:(?:pathlib\.)?Path\(\s*)?${text}`,
  'g',
)
const unlinks = new RegExp(String.raw`\b(?:os\.remove|os\.unlink|unlink(?:Sync)?|File\.delete)\s*\(?\s*${text}`, 'g')
const commands = new RegExp(
  String.raw`\b(?:system|popen|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|run|call|check_call|check_output|Popen|getoutput|shell_exec|passthru)\s*\(?\s*${text}`,
  'g',
)
const lists =
  /\b(?:run|call|check_call|check_output|Popen|execvp?|spawn(?:Sync)?|execFile(?:Sync)?|system)\s*\(\s*(?:(["'])([\w/.-]+)\1\s*,\s*)?\[([^\]]*)\]/g
const backticks = /`([^`]+)`|(?:%x|\bqx)\s*[{([/]([^})\]]+)/g

function readCode(code: string, name: string): Inner[] {
  const via = [name]
  const inner: Inner[] = []
  const home = (path: string) => path.replace(/^~(?=\/|$)/, '$HOME')
  for (const [, quote, path] of code.matchAll(removals)) {
    inner.push(
      quote === undefined ? { argv: ['rm', '-rf', hole], via } : { script: `rm -rf -- "${home(path ?? '')}"`, via },
    )
  }
  for (const [, quote, path] of code.matchAll(unlinks)) if (quote) inner.push({ argv: ['rm', path ?? ''], via })
  for (const [, quote, line] of code.matchAll(commands)) if (quote) inner.push({ script: line ?? '', via })
  for (const [, , program, list = ''] of code.matchAll(lists)) {
    const words = [...list.matchAll(/(["'])(.*?)\1/g)].map(([, , word]) => word ?? '')
    inner.push({ argv: program === undefined ? words : [program, ...words], via })
  }
  if (!/^(?:python|node|bun|deno)/.test(name))
    for (const [, line, other = ''] of code.matchAll(backticks)) inner.push({ script: line ?? other, via })
  return inner
}
