import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { Desk } from './desk.ts'

let desk: Desk
beforeAll(() => {
  desk = new Desk()
})

describe('help', () => {
  it('goes to stdout with 0 when it is asked for', () => {
    for (const args of [['help'], ['--help'], ['-h']]) {
      const { code, stdout, stderr } = desk.run(args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('A tool to test tools with (desk v1.2.3)\n')
      expect(stdout).toMatch(/^ {2}note list +Print ids that were given$/m)
      expect(stdout).toMatch(/^ {2}notes +The same as note list$/m)
    }
  })

  it.each(['echo', 'repeat', 'note list'])(
    'prints one page for `help %s` and `--help`, however much is wrong beside it',
    (verb) => {
      const page = desk.run(['help', ...verb.split(' ')])
      expect(page).toMatchObject({ code: 0, stderr: '' })
      expect(desk.run([...verb.split(' '), '--help'])).toEqual(page)
      expect(desk.run([...verb.split(' '), '-h', 'too', 'many', 'words', '--json', '--quiet'])).toEqual(page)
    },
  )

  it('shows arguments, flags and examples, plain in a pipe and within 40 lines', () => {
    const { stdout } = desk.run(['echo', '--help'], { env: { TERM: 'xterm-256color' } })
    expect(stdout).toContain('USAGE\n  desk echo <topic> [flags]\n')
    expect(stdout).toMatch(/^ {2}topic +Where to$/m)
    expect(stdout).toMatch(/^ {2}-m, --message text +The text$/m)
    expect(stdout).toMatch(/^ {2}-t, --tag tag +A tag \(may be repeated\)$/m)
    expect(stdout).toMatch(/^ {6}--topic x +Named like the argument$/m)
    expect(stdout).toMatch(/^ {6}--limit n +How many \(default: 20\)$/m)
    expect(stdout).toMatch(/^ {6}--state open\|closed +Which \(default: open\)$/m)
    expect(stdout).toMatch(/^ {2}-q, --quiet +Print ids only$/m)
    expect(stdout).toContain('EXAMPLES\n  desk echo work -m hello\n')
    // All right sides begin in one column.
    const columns = stdout
      .split('\n')
      .flatMap((line) => /^ {2}(?:-|[ ]{4}-|topic).*? {2,}(?=\S)/.exec(line)?.[0].length ?? [])
    expect(new Set(columns).size).toBe(1)
    expect(stdout).not.toContain('\u001b')
    expect(stdout).not.toMatch(/ $/m)
    expect(stdout.split('\n').length).toBeLessThan(40)
  })

  it('does not list a flag that is for programs, which its verb takes', () => {
    const { stdout } = desk.run(['note', 'add', '--help'])
    expect(stdout).toMatch(/^ {6}--draft +Not for good$/m)
    expect(stdout).not.toContain('--dump')
    expect(desk.run(['note', 'add', '--dump'])).toEqual({ code: 0, stdout: 'dumped\n', stderr: '' })
  })

  it('shows the page of an alias, of a group and of a built-in verb', () => {
    expect(desk.run(['help', 'say']).stdout).toBe(desk.run(['echo', '--help']).stdout)
    expect(desk.run(['note', '--help']).stdout).toContain('USAGE desk note <verb>')
    expect(desk.run(['help', 'note']).stdout).toBe(desk.run(['note', '--help']).stdout)
    expect(desk.run(['schema', '--help']).stdout).toBe(desk.run(['help', 'schema']).stdout)
  })

  it('exits 2 for a verb that does not exist', () => {
    expect(desk.run(['help', 'ecko'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'desk: expected a verb that exists, got "ecko"; did you mean echo?\n',
    })
  })
})

describe('version', () => {
  it('is one line, and an object with --json', () => {
    expect(desk.run(['--version'])).toEqual({ code: 0, stdout: 'desk 1.2.3\n', stderr: '' })
    expect(desk.run(['version', '--json']).stdout).toBe('{"name":"desk","version":"1.2.3"}\n')
    expect(desk.run(['version', '--quiet']).stdout).toBe('1.2.3\n')
  })
})

describe('schema', () => {
  it('lists the records, prints one, and exits 3 for another', () => {
    expect(desk.run(['schema'])).toEqual({ code: 0, stdout: 'note\n', stderr: '' })
    const schema = { type: 'object', properties: { id: { type: 'string' } } }
    expect(JSON.parse(desk.run(['schema', 'note']).stdout)).toEqual(schema)
    expect(desk.run(['schema', 'note', '--json']).stdout).toBe(`${JSON.stringify(schema)}\n`)
    expect(desk.run(['schema', 'nota'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'desk: expected a record that exists, got "nota"; did you mean note?\n',
    })
  })
})

describe('completion', () => {
  const complete = (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const setUp = `eval "$(desk completion bash)"; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; COMPREPLY=()`
    const { code, stdout, stderr } = desk.bash(`set -u; ${setUp}; _desk; printf '%s\\n' "\${COMPREPLY[@]}"`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.trim().split('\n')
  }

  it('completes verbs, second words, flags and choices in bash', () => {
    expect(complete('desk', 'ec')).toEqual(['echo'])
    expect(complete('desk', 'no')).toEqual(['note', 'notes'])
    expect(complete('desk', 'note', '')).toEqual(['list', 'add'])
    expect(complete('desk', 'echo', 'work', '--no')).toEqual(['--no-verify'])
    expect(complete('desk', 'say', '--me')).toEqual(['--message'])
    expect(complete('desk', 'note', 'add', '--d')).toEqual(['--draft'])
    expect(complete('desk', 'note', 'list', '--js')).toEqual(['--json', '--jsonl'])
    expect(complete('desk', 'echo', '--state', '')).toEqual(['open', 'closed'])
    expect(complete('desk', 'echo', '-m', '--')).toEqual([''])
  })

  /** A line as bash hands it over: split at spaces, colons and equals signs; the word at its end is completed. */
  const completeLine = (line: string) => {
    const words = [...line.matchAll(/[:=]+|[^\s:=]+/g)].map(([word]) => word)
    if (line.endsWith(' ')) words.push('')
    const setUp = `eval "$(desk completion bash)"; COMP_LINE='${line}'; COMP_POINT=${line.length}; COMPREPLY=()`
    const split = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
    const { code, stdout, stderr } = desk.bash(`set -u; ${setUp}; ${split}; _desk; printf '%s\\n' "\${COMPREPLY[@]-}"`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.trim().split('\n')
  }

  it('completes with what the tool lists, in arguments and flags, and behind colons', () => {
    expect(completeLine('desk echo ')).toEqual(['issue:1', 'issue:2', 'news', 'two\\ words', '\\$\\(touch\\ hacked\\)'])
    expect(completeLine('desk echo n')).toEqual(['news'])
    expect(completeLine('desk echo issue:')).toEqual(['1', '2'])
    expect(completeLine('desk echo iss')).toEqual(['issue:1', 'issue:2'])
    expect(completeLine('desk echo a:b:c n')).toEqual([''])
    expect(completeLine('desk echo -m issue: n')).toEqual(['news'])
    expect(completeLine('desk echo a --topic is')).toEqual(['issue:1', 'issue:2'])
    expect(completeLine('desk echo a --topic=issue:2')).toEqual(['2'])
    expect(completeLine('desk echo a --state ')).toEqual(['open', 'closed'])
    expect(completeLine('desk echo a --verify ')).toEqual(['make', 'npm\\ test'])
    expect(completeLine('desk note list news issue:1 issue')).toEqual(['issue:1', 'issue:2'])
    expect(completeLine('desk ec')).toEqual(['echo'])
    expect(completeLine('desk note ')).toEqual(['list', 'add'])
    expect(completeLine('desk fail ')).toEqual([''])
    expect(existsSync(`${desk.cwd}/hacked`)).toBe(false)
  })

  it.each(['zsh', 'fish'])('prints a script for %s that calls the tool for what a value may be', (shell) => {
    const { stdout } = desk.run(['completion', shell])
    expect(stdout.replaceAll(/['\\]/g, '')).toContain('desk note list --quiet issue:1')
    expect(stdout.replaceAll(/['\\]/g, '')).toContain('make npm test')
  })

  it.each(['zsh', 'fish'])('prints a script for %s that names verbs and flags', (shell) => {
    const { code, stdout } = desk.run(['completion', shell])
    expect(code).toBe(0)
    for (const word of ['echo', 'note', 'list', 'no-verify', 'completion']) expect(stdout).toContain(word)
  })

  it('exits 2 for a shell it does not know', () => {
    expect(desk.run(['completion', 'bsh'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'desk: expected a shell that exists, got "bsh"; did you mean bash?\n',
    })
    expect(desk.run(['completion', 'constructor']).code).toBe(2)
  })
})
