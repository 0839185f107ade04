import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, heeding, itWith, tempRepo } from '@switchyard/testkit'
import { expect, it } from 'vitest'

const guide = readFileSync(fileURLToPath(new URL('../../../docs/tissue.md', import.meta.url)), 'utf8')
const section = guide.split('\n## What it refuses\n')[1]?.split('\n## ')[0] ?? ''
const [refusals = ''] = section.split('\nAnd when')
const rows = [...section.matchAll(/^\| (.*?) \| (.*?) ?\| (\d+) \|$/gm)].map(([, what = '', says = '', exit = '']) => ({
  what,
  says,
  exit: Number(exit),
  // The second table is about what lies on the disk already.
  isRefused: refusals.includes(`| ${what} |`),
}))

type Row = (typeof rows)[number]

/**
 * A command line in bash for each row. There are: A, which bob holds; B, which A blocks, with a child C; D, which
 * is free; E, with an open child; two issues that begin with app-aaaa; and the log.
 */
const tried: Readonly<Record<string, string>> = {
  'a verb of another tracker': 'tissue create x',
  'a flag with a typo': 'tissue new x --prioritty 1',
  '`new` without a title': 'tissue new',
  '`new Fix login`, unquoted': 'tissue new Fix login',
  'a title of two lines': `tissue new $'two\\nlines'`,
  'priority 9': 'tissue new x -p 9',
  '`--due yesterday`': 'tissue new x --due yesterday',
  '`comment ID hello`': 'tissue comment $D hello',
  'a body that is not UTF-8': "printf '\\377' | tissue new x -",
  '`-F` and no such file': 'tissue new x -F nowhere',
  'an id that names none': 'tissue show nobody',
  'the beginning of several ids': 'tissue close app-aaaa',
  'the status `done`': 'tissue status $D done',
  '`status open ID`': 'tissue status open $D',
  '`edit` and nothing to change': 'tissue edit $D',
  '`edit --if-rev` of an issue that changed': 'tissue edit $D --if-rev 01ARZ3NDEKTSV4RRFFQ69G5FAV -p 1',
  '`claim` alone': 'tissue claim',
  '`claim --next` when nothing is ready': 'tissue claim --next --tag none-has-this',
  'a claim or a change of what another holds': 'tissue claim $A',
  'a fence that is not current': 'tissue close $A --as bob --fence 01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '`claim --renew` of what nobody holds': 'tissue claim --renew $D',
  '`close` of a blocked issue': 'tissue close $B',
  '`close` of a parent with open children': 'tissue close $E',
  'a link of an issue with itself': 'tissue dep add $D relates $D',
  'a link that closes a circle': 'tissue dep add $B blocks $A',
  'a second parent': 'tissue dep add $D parent $C',
  'the kind `block`': 'tissue dep add $D block $C',
  'a query with a typo': 'tissue list --query statuss:open',
  'a plan that calls an issue that is none': `echo '{"issues":[{"name":"a","title":"A","parent":"nobody"}]}' | tissue new --plan -`,
  'a batch of which one act fails': `printf '%s\\n' '{"verb":"new","title":"x"}' '{"verb":"close","id":"nobody"}' | tissue batch`,
  '`import` of an unknown line': `echo '{"a":1}' | tissue import -`,
  '`import --close-missing` without a finding': 'tissue import --close-missing /dev/null',
  '`wait` that is not over in time': 'tissue wait $D --timeout 0s',
  'a setting that is none': 'tissue config color',
  '`board` in a pipe': 'set -o pipefail; tissue board | cat',
  'a damaged line in the log': 'echo garbage >> $log; tissue new x > made',
  'a damaged line, to `doctor --log`': 'echo garbage >> $log; tissue doctor --log > found',
  'conflict markers in the log, to `doctor --log`': "echo '<<<<<<< HEAD' >> $log; tissue doctor --log -q",
  'a damaged line, to `compact`': 'echo garbage >> $log; tissue compact',
  'the beginning of a line, left by a kill': `printf '{"v":1,"id":' >> $log; tissue show $(tissue new x) -q > id`,
  'a cache with other content': 'mkdir -p .tissue/cache; echo x > .tissue/cache/open-issues; tissue show $D -q > id',
  'a store that may only be read': 'tissue new x',
  'a store that is a file': 'echo > file; tissue list --store file',
  'output onto a full disk': 'tissue list > /dev/full',
}

const prelude = [
  'A=$(tissue new A -q) B=$(tissue new B --blocked-by $A -q) C=$(tissue new C --parent $B -q) D=$(tissue new D -q)',
  'E=$(tissue new E -q) && tissue new F --parent $E -q > made',
  'tissue claim $A --as bob -q > claimed && tissue import alike.jsonl -q > imported',
  'echo "A=$A B=$B C=$C D=$D E=$E log=$PWD/.tissue/issues.jsonl" > names',
].join('\n')

function bash(cwd: string, line: string, command: readonly string[] = ['bash', '-c', line]) {
  const env = cleanEnv({ JWZ_AGENT: 'ada' })
  const [program = '', ...args] = command
  const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', input: '' })
  return { status, stderr }
}

/** Two issues whose ids begin alike, as events of another store. */
function alike(): string {
  const at = Date.now()
  const fields = { v: 1, at, by: 'ada', type: 'created', body: '', priority: 2, tags: [] }
  const line = (seq: number, issue: string) => JSON.stringify({ ...fields, id: `E${seq}`, seq, issue, title: issue })
  return `${line(1, 'app-aaaab0000000')}\n${line(2, 'app-aaaac0000000')}\n`
}

function isSaid(says: string, stderr: string): boolean {
  const pattern = says
    .replaceAll('`', '')
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^(tissue: )?${pattern.join('.*')}`, 's').test(stderr)
}

const isOfStoreToRead = ({ what }: Row) => what === 'a store that may only be read'

it('the guide’s tables of what is refused are tried, row by row', () => {
  expect(rows.map(({ what }) => what).sort()).toEqual(Object.keys(tried).sort())
  tryRows(rows.filter((row) => !isOfStoreToRead(row)))
})

itWith('permissions that stop this user', 'so is the row of a store that may only be read', () => {
  tryRows(rows.filter(isOfStoreToRead))
})

function tryRows(rows: readonly Row[]): void {
  const root = tempRepo({ 'alike.jsonl': alike() })
  expect(bash(root, prelude)).toEqual({ status: 0, stderr: '' })
  const log = join(root, '.tissue', 'issues.jsonl')
  const before = readFileSync(log)
  for (const row of rows) {
    const { what, says, exit, isRefused } = row
    const isLocked = isOfStoreToRead(row)
    for (const [path, mode] of [
      [log, isLocked ? 0o444 : 0o644],
      [join(root, '.tissue'), isLocked ? 0o555 : 0o755],
    ] as const)
      chmodSync(path, mode)
    const line = `. ./names\n${tried[what]}`
    const { status, stderr } = bash(root, line, isLocked ? heeding(['bash', '-c', line]) : undefined)
    expect({ what, status, stderr, isSaid: isSaid(says, stderr) }).toEqual({ what, status: exit, stderr, isSaid: true })
    chmodSync(join(root, '.tissue'), 0o755)
    if (isRefused) expect(readFileSync(log).equals(before)).toBe(true)
    if (!isLocked) writeFileSync(log, before)
  }
}
