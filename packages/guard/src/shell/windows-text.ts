// A text of PowerShell or cmd as one of a POSIX shell: what it runs, with quotes, variables, pipes and blocks as far as
// the guard follows them. Blocks are run where they stand, whatever stands before them.
import { tooMuch } from './budget.ts'
import { item, literal, placeOfVariable, programOf, quoted, unknown, variableOf } from './windows-names.ts'
import { parametersOf } from './windows-words.ts'

/** `parts`: what stands between commas, each as a word of a POSIX shell. */
type Word = { text: string; parts: string[]; isBare: boolean; variable: string | undefined }

/** A text of PowerShell as one of a POSIX shell. */
export const fromPowerShell = (text: string): string => new Text(text, false).posix()

/** A text of cmd as one of a POSIX shell. */
export const fromCmd = (text: string): string => new Text(text, true).posix()

const lengthMax = 1 << 20
const depthMax = 60

class Text {
  readonly #text: string
  readonly #isCmd: boolean
  readonly #lines: string[] = []
  #at = 0
  #depth = 0

  constructor(text: string, isCmd: boolean) {
    if (text.length > lengthMax) throw tooMuch(`it has more than ${lengthMax} signs`)
    this.#text = text
    this.#isCmd = isCmd
  }

  posix(): string {
    while (this.#at < this.#text.length) this.#block('')
    return this.#lines.join('\n')
  }

  /** Reads up to the end of a block; the words of a list, where that is all there is in it. */
  #block(end: string): string[] | undefined {
    let words: Word[] = []
    let segments: string[] = []
    let list: string[] | undefined
    let isFed = false
    const finish = (isPiped: boolean) => {
      const isList = words.length === 1 && words[0]?.isBare === false && segments.length === 0
      list = isList ? words[0]?.parts : undefined
      const line = this.#command(words, isPiped, isFed)
      if (line !== '') segments.push(line)
      words = []
      isFed = isPiped
      if (isPiped) return
      if (segments.length > 0) this.#lines.push(segments.join(' | '))
      segments = []
    }
    if (++this.#depth > depthMax) throw tooMuch(`it has more than ${depthMax} blocks within each other`)
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at] ?? ''
      const isDouble = this.#text[this.#at + 1] === sign
      if (sign === end && end !== '') break
      if (/[\n;&|]/.test(sign)) finish(sign === '|' && !isDouble)
      else if (/[({]/.test(sign) || this.#isNested()) {
        this.#at += /[({]/.test(sign) ? 1 : 2
        words.push(this.#nested(this.#text[this.#at - 1] ?? ''))
        continue
      } else if (!/[\s)}]/.test(sign)) {
        const word = this.#word(words)
        if (word !== undefined) words.push(word)
        continue
      }
      this.#at += (sign === '&' || sign === '|') && isDouble ? 2 : 1
    }
    this.#at++
    this.#depth--
    const isWhole = this.#lines.length
    finish(false)
    return isWhole === this.#lines.length ? list : undefined
  }

  /** `@(` and `@{`, which a block follows. */
  #isNested(): boolean {
    return !this.#isCmd && this.#text[this.#at] === '@' && /[({]/.test(this.#text[this.#at + 1] ?? '')
  }

  #nested(sign: string): Word {
    const list = this.#block(sign === '(' ? ')' : '}')
    return { text: '', parts: list ?? [unknown], isBare: false, variable: undefined }
  }

  /** A word, with its quotes; undefined for a comment. */
  #word(before: readonly Word[]): Word | undefined {
    const rest = this.#text.slice(this.#at, this.#at + 2)
    if (!this.#isCmd && (rest[0] === '#' || rest === '<#')) {
      const close = this.#text.indexOf(rest === '<#' ? '#>' : '\n', this.#at)
      this.#at = close < 0 ? this.#text.length : close + (rest === '<#' ? 2 : 0)
      return undefined
    }
    const operator = this.#take(/(?:\d|\*)?>&\d|(?:\d|\*)?>>?/y)
    if (operator !== undefined) return operator.includes('&') ? undefined : raw(operator.replace('*', '&'))
    const assigning =
      before.length === 1 && before[0]?.variable !== undefined ? this.#take(/[+?*/-]?=(?!=)/y) : undefined
    if (assigning !== undefined) return raw('=')
    const word: Word = { text: '', parts: [''], isBare: true, variable: undefined }
    const from = this.#at
    while (this.#at < this.#text.length && this.#piece(word));
    // A sign that begins nothing.
    if (this.#at === from) this.#at++
    return word
  }

  /** Reads a part of a word; false where the word ends. */
  #piece(word: Word): boolean {
    const sign = this.#text[this.#at] ?? ''
    const isStart = word.text === '' && word.parts.length === 1
    const add = (text: string, posix: string) => {
      word.text += text
      word.parts.push(`${word.parts.pop() ?? ''}${posix}`)
    }
    const here = this.#isCmd ? undefined : this.#hereText()
    if (here !== undefined) {
      add(here, quoted(here.slice(2, -2).trim()))
      return true
    }
    if (/[\s;|&(){}>]/.test(sign) || this.#isNested()) return false
    if (sign === '"' || (sign === "'" && !this.#isCmd)) this.#quotes(sign, word, add)
    else if (this.#variable(word, add, true)) word.isBare &&= !isStart
    else if (sign === ',' && !this.#isCmd) {
      this.#take(/,\s*/y)
      word.parts.push('')
      word.text += ','
    } else {
      const run = this.#isCmd
        ? this.#take(/(?:\^[\s\S]|[^\s"^%;|&(){}>])+|%/y)
        : this.#take(/(?:`[\s\S]|[^\s'"`$;|&(){}>,@])+|[$@]/y)
      if (run === undefined) return false
      const text = this.#isCmd ? run.replace(/\^([\s\S])/g, '$1') : run.replace(/`\r?\n?([\s\S]?)/g, '$1')
      add(text, literal(text, word.parts.at(-1) === ''))
    }
    return true
  }

  /** `@'`, lines, `'@`. */
  #hereText(): string | undefined {
    const open = /@(['"])\r?\n/y
    open.lastIndex = this.#at
    const sign = open.exec(this.#text)?.[1]
    if (sign === undefined) return undefined
    const close = this.#text.indexOf(`\n${sign}@`, open.lastIndex - 1)
    const from = this.#at
    // Without an end all that follows is in it.
    this.#at = close < 0 ? this.#text.length : close + 3
    return this.#text.slice(from, this.#at)
  }

  #quotes(sign: string, word: Word, add: (text: string, posix: string) => void): void {
    if (word.text === '') word.isBare = false
    this.#at++
    const plain =
      sign === "'" ? /(?:[^']|'')+/y : this.#isCmd ? /[^"%]+|%(?!\w+%)/y : /(?:[^"`$]|`[\s\S]|"")+|\$(?![\w{(])/y
    while (this.#at < this.#text.length && this.#text[this.#at] !== sign) {
      const text = this.#take(plain)
      if (text !== undefined) add(text, literal(text.replaceAll(sign + sign, sign), word.parts.at(-1) === ''))
      else if (!this.#variable(word, add, false)) add('', unknown)
    }
    this.#at++
  }

  /** Reads a variable, or what stands for a text that is not known. */
  #variable(word: Word, add: (text: string, posix: string) => void, hasMembers: boolean): boolean {
    if (this.#isCmd) {
      const name = this.#take(/%\w+%|%{1,2}~?\w/y)?.replaceAll('%', '')
      if (name !== undefined) add(name, placeOfVariable(name) ?? unknown)
      return name !== undefined
    }
    if (this.#take(/\$\(/y) !== undefined) {
      this.#block(')')
      add('$', unknown)
      return true
    }
    const found = this.#take(/\$(?:\{[\w:]+\}|(?:\w+:)?\w+|[?^$])/y)
    if (found === undefined) return false
    if (hasMembers) this.#take(/(?:\.\w+)+/y)
    const name = found.replace(/[${}]/g, '').toLowerCase()
    if (word.text === '') word.variable = name.startsWith('env:') ? found.replace(/[${}]/g, '') : name
    add('$', variableOf(name, found))
    return true
  }

  /** A simple command, with what it does to variables written before it. */
  #command(given: readonly Word[], isPiped: boolean, isFed: boolean): string {
    const words = this.#isCmd
      ? withoutCondition(given)
      : given.filter(({ text }, at) => at > 0 || !/^(?:return|\.)$/i.test(text))
    const [first, second, third, ...more] = words
    if (first === undefined) return ''
    const isSetting = first.variable !== undefined && (second?.text === '=' || /^in$/i.test(second?.text ?? ''))
    if (isSetting && third !== undefined) {
      const isCommand = third.isBare && (more.length > 0 || /^[a-z]+-[a-z]+$/i.test(third.text))
      const line = isCommand ? this.#command([third, ...more], true, false) : ''
      if (line !== '') this.#lines.push(line)
      this.#set(first.variable ?? '', isCommand ? (line.includes('get-childitem') ? [item] : [unknown]) : third.parts)
      return ''
    }
    if (!first.isBare) {
      // A text that is run by `&`, or goes into a pipe.
      if (isPiped)
        this.#set(
          'loop_item',
          words.flatMap(({ parts }) => parts),
        )
      if (isPiped || words.length === 1) return ''
    }
    const name = programOf(first.text, first.isBare, this.#isCmd)
    const args = words.slice(name === 'cd' && /^\/d$/i.test(second?.text ?? '') ? 2 : 1)
    if (isPiped || (isFed && /^(?:where-object|where|\?)$/.test(name))) this.#follow(name, args)
    const isWithout = isFed && name === 'remove-item' && parametersOf(args.map(({ text }) => text)).paths.length === 0
    const between = name.includes('-') ? ' ' : "','"
    const posix = args.map(({ parts }) => parts.join(between) || "''")
    const program = name === 'eval' && isFed && args.length === 0 ? 'sh' : name
    const head = program === '' ? first.parts.join("','") : quoted(program)
    return [head, ...posix, ...(isWithout ? [item] : [])].join(' ')
  }

  /** What a command hands on through a pipe. */
  #follow(name: string, args: readonly Word[]): void {
    if (/^(?:where-object|where|\?)$/.test(name)) this.#set('loop_item', [`${item}/_`])
    else if (name !== 'get-childitem' && name !== 'get-item') return
    else {
      const { paths, values } = parametersOf(
        args.map(({ text, parts }) => (text.includes('$') ? parts.join(',') : text)),
      )
      const only = values.get('filter') ?? values.get('include')
      const end = name === 'get-item' ? '' : `/${only?.replace(/['"]/g, '') ?? '*'}`
      const from = paths.length === 0 ? ['.'] : paths
      this.#set(
        'loop_item',
        from.map((path) => asPosix(path) + (/[*?]/.test(path) ? '' : quoted(end))),
      )
    }
  }

  #set(name: string, parts: readonly string[]): void {
    const isNamed = /^(?:env:)?\w+$/i.test(name)
    if (!isNamed) return
    const bare = name.replace(/^env:/i, '')
    if (bare !== name) this.#lines.push(`export ${bare}=${parts.join("','")}`)
    else this.#lines.push(`${bare}=(${parts.map((part) => part || "''").join(' ')})`)
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [text] = pattern.exec(this.#text) ?? []
    if (text !== undefined) this.#at += text.length
    return text
  }
}

/** A path of which a variable may be the first part. */
const asPosix = (path: string) => (/^["~]/.test(path) ? path.replaceAll('\\', '/') : quoted(path))

const raw = (operator: string): Word => ({ text: operator, parts: [operator], isBare: true, variable: undefined })

/** `if exist X COMMAND`, `for %i in (…) do COMMAND`. */
function withoutCondition(words: readonly Word[]): readonly Word[] {
  const texts = words.map(({ text }) => text.toLowerCase().replace(/^@/, ''))
  if (texts[0] === 'for') return words.slice(texts.indexOf('do') + 1)
  if (texts[0] !== 'if') return words
  const at = texts[1] === 'not' ? 2 : 1
  return words.slice(at + (texts[at] === 'exist' ? 2 : 1))
}
