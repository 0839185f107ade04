import { beforeAll, describe, expect, it } from 'vitest'
import { Desk } from './desk.ts'

let desk: Desk
beforeAll(() => {
  desk = new Desk()
})

const defaults = { tag: [], limit: 20, state: 'open', loud: false, 'no-verify': false }

/** `echo` is parsed by the strict parser and `repeat` by way of citty; both print what they understood. */
describe.each(['echo', 'repeat'])('%s', (verb) => {
  const understood = (...args: string[]) => {
    const { code, stdout, stderr } = desk.run([verb, ...args])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  const refused = (...args: string[]) => {
    const { code, stdout, stderr } = desk.run([verb, ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    return stderr
  }

  it('refuses an unknown flag and names the nearest', () => {
    expect(refused('work', '-m', 'hi', '--quite')).toBe(
      'desk: expected a flag that exists, got "--quite"; did you mean --quiet?\n',
    )
    expect(refused('work', '--zzz')).toBe(`desk: expected a flag that exists, got "--zzz"; see desk ${verb} --help\n`)
    expect(refused('work', '--constructor')).toContain('got "--constructor"')
    expect(refused('work', '-z')).toContain('got "-z"')
  })

  it.each(['--no-verify is bad', '--help', '-h', '--', '--json', '-', '--no-message', '-1', ''])(
    'takes the value %j as it is',
    (value) => {
      const expected = { args: { topic: 'work' }, flags: { ...defaults, message: value } }
      expect(understood('work', '-m', value)).toEqual(expected)
      expect(understood('work', '--message', value)).toEqual(expected)
      expect(understood('work', `--message=${value}`)).toEqual(expected)
      expect(understood('-m', value, 'work')).toEqual(expected)
    },
  )

  it('takes a value that touches its short flag, and refuses one behind an equals sign', () => {
    expect(understood('work', '-mhello').flags.message).toBe('hello')
    expect(refused('work', '-m=hello')).toBe(
      `desk: expected -m VALUE or --message=VALUE, got "-m=hello"; see desk ${verb} --help\n`,
    )
  })

  it('takes what follows -- as arguments, --help included', () => {
    expect(understood('--', '--help').args.topic).toBe('--help')
    expect(understood('-m', 'x', '--', '--no-verify').args.topic).toBe('--no-verify')
    expect(understood('--', '--').args.topic).toBe('--')
  })

  it('collects a list flag in order and refuses any other that is given twice', () => {
    expect(understood('work', '-t', 'a', '--tag', 'b', '--tag=a').flags.tag).toEqual(['a', 'b', 'a'])
    expect(refused('work', '-m', 'a', '-m', 'b')).toBe(
      `desk: expected --message once, got it twice; see desk ${verb} --help\n`,
    )
  })

  it('refuses arguments that are too many or too few', () => {
    expect(refused('work', 'hello', 'world')).toBe(
      'desk: expected nothing after <topic>, got "hello"; quote a value that has spaces\n',
    )
    expect(refused()).toBe(`desk: expected <topic>, got nothing; see desk ${verb} --help\n`)
  })

  it('refuses a flag without its value, and a value that a flag does not take', () => {
    expect(refused('work', '-m')).toContain('expected a value after -m, got nothing')
    expect(refused('work', '--loud=yes')).toContain('expected no value for --loud, got "yes"')
  })

  it('keeps flags apart whose names differ by no- or that an argument shares', () => {
    expect(understood('work', '--no-verify').flags).toEqual({ ...defaults, 'no-verify': true })
    expect(understood('work', '--verify', 'npm test', '--no-verify').flags.verify).toBe('npm test')
    expect(understood('work', '--topic', 'other')).toEqual({
      args: { topic: 'work' },
      flags: { ...defaults, topic: 'other' },
    })
  })

  it('reads integers, durations and choices, and says what it expected', () => {
    expect(understood('work', '--limit', '7', '--wait', '2m', '--state=closed').flags).toEqual({
      ...defaults,
      limit: 7,
      wait: 120_000,
      state: 'closed',
    })
    expect(refused('work', '--limit', '101')).toContain(
      'expected --limit to be a whole number from 1 to 100, got "101"',
    )
    expect(refused('work', '--wait', '5')).toContain('a duration such as 500ms, 30s, 5m, 2h or 1d, got "5"')
    expect(refused('work', '--state', 'ajar')).toContain('expected --state to be open or closed, got "ajar"')
  })

  it('takes the names of verbs and flags as values and arguments', () => {
    expect(understood('echo', '-m', 'note').args.topic).toBe('echo')
    expect(understood('message', '-t', 'tag')).toEqual({
      args: { topic: 'message' },
      flags: { ...defaults, tag: ['tag'] },
    })
  })

  it('refuses two output modes at once', () => {
    expect(refused('work', '--json', '--jsonl')).toContain('expected one output mode, got --json and --jsonl\n'.trim())
    expect(refused('work', '-q', '--json')).toContain('desk: expected one output mode, got --json and --quiet;')
  })
})

describe('choosing a verb', () => {
  it('prints a short help on stderr and exits 2 when there is none', () => {
    const { code, stdout, stderr } = desk.run([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).toBe('usage: desk <verb> [arguments] [flags]')
    expect(desk.run(['--json']).code).toBe(2)
  })

  it('suggests the nearest verb in one line', () => {
    expect(desk.run(['ecko'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'desk: expected a verb, got "ecko"; did you mean desk echo?\n',
    })
    expect(desk.run(['notee']).stderr).toBe('desk: expected a verb, got "notee"; did you mean desk note?\n')
    expect(desk.run(['constructor']).stderr).toBe('desk: expected a verb, got "constructor"; see desk help\n')
  })

  it('finds verbs of two words, aliases, and mode flags before the verb', () => {
    expect(desk.run(['note', 'list', 'a']).stdout).toBe('note a\n')
    expect(desk.run(['notes', 'a', '-q']).stdout).toBe('a\n')
    expect(desk.run(['--json', 'notes', 'a']).stdout).toBe('[{"id":"a"}]\n')
    expect(desk.run(['say', 'work', '-q']).stdout).toBe('work\n')
  })

  it('names the verbs of a group when the second word is missing or wrong', () => {
    const stderr = 'desk: expected note list or note add, got "note lst"; did you mean desk note list?\n'
    expect(desk.run(['note', 'lst'])).toEqual({ code: 2, stdout: '', stderr })
    expect(desk.run(['note']).stderr).toBe('desk: expected note list or note add, got "note"; see desk note --help\n')
  })

  it('runs a verb once, and nothing but the verb', () => {
    expect(desk.run(['note', 'add', 'n1'])).toEqual({ code: 0, stdout: 'n1\n', stderr: '' })
  })
})
