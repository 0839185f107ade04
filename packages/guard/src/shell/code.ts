// One-line programs of other languages: what they plainly remove or run. Best effort: a program can always hide it.
import type { Call } from './call.ts'
import { decoded, downloaded, hole } from './command.ts'
import type { Inner } from './inner.ts'
import { readOptions } from './options.ts'

/** Options that give a program's text, by language. */
const textOptions: ReadonlyMap<string, { letters: string; valued: string; long: readonly string[] }> = new Map(
  Object.entries({
    python: { letters: 'c', valued: 'WXm', long: [] },
    perl: { letters: 'eE', valued: 'MIm', long: [] },
    ruby: { letters: 'e', valued: 'rI', long: [] },
    php: { letters: 'r', valued: 'd', long: [] },
    node: { letters: 'ep', valued: 'r', long: ['eval=', 'print='] },
    bun: { letters: 'ep', valued: 'r', long: ['eval=', 'print='] },
    deno: { letters: '', valued: '', long: [] },
    awk: { letters: '', valued: 'Fvf', long: [] },
    gawk: { letters: '', valued: 'Fvf', long: [] },
    mawk: { letters: '', valued: 'Fvf', long: [] },
    pypy: { letters: 'c', valued: 'WXm', long: [] },
    tsx: { letters: 'ep', valued: 'r', long: ['eval=', 'print='] },
    'ts-node': { letters: 'ep', valued: 'r', long: ['eval=', 'print='] },
    lua: { letters: 'e', valued: 'l', long: [] },
  }),
)

const languageOf = (name: string) => name.replace(/[\d.]+$/, '')

export const isLanguage = (name: string) => textOptions.has(languageOf(name))

/** What a program given on the command line or on stdin removes and runs. */
export function unwrapCode({ command, name, args }: Call): Inner[] | undefined {
  if (!isLanguage(name)) return undefined
  const { letters, valued, long } = textOptions.get(languageOf(name)) ?? { letters: '', valued: '', long: [] }
  const { values, operands } = readOptions(args, { valued: `${letters}${valued}`, long, stopsAtOperand: true })
  const given = [...letters, ...long.map((option) => option.replace('=', ''))].flatMap((key) => values.get(key) ?? [])
  const isEval = languageOf(name) === 'deno' && operands[0] === 'eval'
  const module = /^(?:python|pypy)/.test(name) ? values.get('m')?.[0] : undefined
  if (module === 'django') return [{ argv: ['manage.py', ...operands], via: [name] }]
  if (languageOf(name).endsWith('awk')) return readCode(operands[0] ?? '', name)
  const texts = isEval ? operands.slice(1, 2) : given
  if (texts.length > 0) return texts.flatMap((text) => [...unseen(text, name), ...readCode(text, name)])
  // `python manage.py flush`, `php artisan migrate:fresh`: the file is the program.
  if (operands.length > 0 && operands[0] !== '-') return module !== undefined ? [] : [{ argv: operands, via: [name] }]
  return command.stdin === undefined ? [] : [...unseen(command.stdin, name), ...readCode(command.stdin, name)]
}

/** A program that was downloaded or decoded, which nobody has read. */
function unseen(text: string, name: string): Inner[] {
  const marks = [downloaded, decoded].filter((mark) => text.includes(mark)).join('')
  return marks === '' ? [] : [{ script: marks, via: [name] }]
}

const text = String.raw`(?:[rbfu]?(["'\x60])((?:(?!\1)[^\\]|\\.)*)\1)?`
const removals = new RegExp(
  String.raw`\b(?:rmtree|remove_tree|rm_rf|rm_r|remove_dir_all|rmSync|rmdirSync|rimraf|(?:fs|promises)\.rm(?:Sync|dirSync)?|(?<=\bawait )rm(?=\()|Deno\.remove(?:Sync)?)\s*\(?\s*(?:(?:pathlib\.)?Path\(\s*)?${text}`,
  'g',
)
const unlinks = new RegExp(
  String.raw`\b(?:os\.remove|os\.unlink|unlink(?:Sync)?|File\.delete)\s*\(?\s*(?:glob\s*\(?\s*)?${text}`,
  'g',
)
const unlinkedGlobs = new RegExp(String.raw`\barray_map\(\s*["']unlink["']\s*,\s*glob\(\s*${text}`, 'g')
/** What is opened to be written, or written at once. */
const writes = new RegExp(
  String.raw`\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|createWriteStream|file_put_contents|File\.write)\s*\(\s*${text}|(?<!\w)open\s*\(\s*(?:file\s*=\s*)?${text.replace('\\1', '\\3').replace('\\1', '\\3')}\s*,\s*(?:mode\s*=\s*)?["'][^"']*[wax+]|\bPath\(\s*${text.replace('\\1', '\\5').replace('\\1', '\\5')}\s*\)\.write_`,
  'g',
)
/** awk pipes what it prints into a shell. */
const piped = new RegExp(
  String.raw`\bprint(?:f)?\s*\(?\s*${text}[^|;}]{0,200}\|\s*["'](?:/bin/)?(?:ba|z|da|k)?sh\b`,
  'g',
)
const commands = new RegExp(
  String.raw`\b(?:system|popen|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|run|call|check_call|check_output|Popen|getoutput|shell_exec|passthru)\s*\(?\s*${text}`,
  'g',
)
const lists =
  /\b(?:run|call|check_call|check_output|Popen|execvp?|spawn(?:Sync)?|execFile(?:Sync)?|system)\s*\(\s*(?:(["'])([\w/.-]+)\1\s*,\s*|args\s*=\s*)?\[([^\]]*)\]/g
const bareLists = /\b(?:system|exec)\s*\(?\s*((?:["'][^"']*["']\s*,\s*)+["'][^"']*["'])/g
const quotedWords =
  /\b(?:system|exec)\s*\(?\s*qw\s*(?:\(([^)]{0,500})\)|\[([^\]]{0,500})\]|\{([^}]{0,500})\}|\/([^/]{0,500})\/)/g
const backticks = /`([^`]+)`|(?:%x|\bqx)\s*[{([/]([^})\]]+)/g

function readCode(code: string, name: string): Inner[] {
  return [...filesIn(code, [name]), ...commandsIn(code, name)]
}

/** What code does to files itself, as the command that does it. */
function filesIn(code: string, via: readonly string[]): Inner[] {
  const inner: Inner[] = []
  const home = (path: string) => path.replace(/^~(?=\/|$)/, '$HOME')
  for (const [, quote, path] of code.matchAll(removals)) {
    inner.push(
      quote === undefined ? { argv: ['rm', '-rf', hole], via } : { script: `rm -rf -- "${home(path ?? '')}"`, via },
    )
  }
  for (const [, quote, path] of [...code.matchAll(unlinks), ...code.matchAll(unlinkedGlobs)])
    if (quote) inner.push({ script: `rm -- ${path?.replace(/[^\w./~*?-]/g, '?')}`, via })
  for (const [, , one, , other, , third] of code.matchAll(writes)) {
    const path = one ?? other ?? third
    if (path !== undefined) inner.push({ argv: ['tee', path], via })
  }
  return inner
}

/** The commands that code starts. */
function commandsIn(code: string, name: string): Inner[] {
  const via = [name]
  const inner: Inner[] = []
  for (const [, quote, line = ''] of code.matchAll(piped)) if (quote) inner.push({ script: line, via })
  for (const [, ...words] of code.matchAll(quotedWords))
    inner.push({
      argv:
        words
          .find((one) => one !== undefined)
          ?.trim()
          .split(/\s+/) ?? [],
      via,
    })
  for (const { 0: whole, 1: quote, 2: line = '', index } of code.matchAll(commands)) {
    // A text that goes on behind its quote: what follows is not known.
    const goesOn = (name.endsWith('awk') ? /^\s*[$\w]/ : /^\s*(?:[+%]|\.format)/).test(
      code.slice(index + whole.length, index + whole.length + 20),
    )
    if (quote) inner.push({ script: goesOn ? `${line} ${hole}` : line, via })
  }
  for (const [, words = ''] of code.matchAll(bareLists)) {
    inner.push({ argv: [...words.matchAll(/(["'])(.*?)\1/g)].map(([, , word]) => word ?? ''), via })
  }
  for (const [, , program, list = ''] of code.matchAll(lists)) {
    const words = [...list.matchAll(/(["'])(.*?)\1/g)].map(([, , word]) => word ?? '')
    inner.push({ argv: program === undefined ? words : [program, ...words], via })
  }
  if (!/^(?:python|node|bun|deno|g?m?awk)/.test(name))
    for (const [, line, other = ''] of code.matchAll(backticks)) inner.push({ script: line ?? other, via })
  return inner
}
