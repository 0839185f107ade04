import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempFolder } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { verbs } from '../src/verbs.ts'
import { originalStore } from './original.ts'
import { tissue } from './tissue.ts'

/** A store in which every verb has something to show, also what only two clones can bring about. */
function peopledStore() {
  const cwd = tempFolder('schemas')
  const ok = (args: readonly string[], folder = cwd, input = '') => {
    const { code, stdout, stderr } = tissue(folder, args, input)
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
    return stdout.trim()
  }
  const first = ok(['new', 'First', '-p', '1', '--tag', 'x', '--body', 'text'])
  const second = ok(['new', 'Second', '--blocked-by', first])
  const third = ok(['new', 'Third'])
  const mine = ok(['claim', ok(['new', 'Mine']), '--quiet'])
  const over = ok(['close', ok(['new', 'Over']), '--reason', 'done'])
  ok(['comment', first, '-m', 'a comment'])
  const clone = tempFolder('schemas')
  cpSync(cwd, clone, { recursive: true })
  ok(['edit', first, '--title', 'Here'])
  ok(['dep', 'add', first, 'relates', third])
  ok(['dep', 'add', second, 'blocks', third])
  ok(['edit', first, '--title', 'There'], clone)
  ok(['dep', 'add', third, 'blocks', second], clone)
  ok(['import', '-'], cwd, ok(['export'], clone))
  const finding = { v: 1, type: 'finding', id: 'f1', rule: 'r', title: 'T', severity: 'high', path: 'p', line: 1 }
  writeFileSync(join(cwd, 'acts.jsonl'), '{"verb":"new","name":"a","title":"Fix login"}\n')
  cpSync(join(originalStore(), '.tissue'), join(cwd, 'original'), { recursive: true })
  writeFileSync(join(cwd, 'findings.jsonl'), `${JSON.stringify(finding)}\n`)
  return { cwd, first, second, third, mine, over }
}

type Peopled = ReturnType<typeof peopledStore>
/** A command line of a verb and the record, of those `tissue schema` knows, that each element of its JSON is. */
type Sample = [argv: (store: Peopled) => string[], record: string, codes?: readonly number[]]

/** By verb; with a flag where that prints something else. */
const samples: Record<string, Sample> = {
  init: [() => ['init', '--prefix', 'other'], 'made'],
  new: [() => ['new', 'x', '-p', '1', '-t', 'x', '-b', 'body', '--key', 'k'], 'issue'],
  list: [() => ['list', '--all'], 'issue'],
  show: [({ first }) => ['show', first], 'issue'],
  edit: [({ first }) => ['edit', first, '--title', 'Other', '--priority', '3'], 'issue'],
  status: [({ first }) => ['status', first, 'paused'], 'issue'],
  close: [({ mine }) => ['close', mine, '--reason', 'x'], 'issue'],
  reopen: [({ over }) => ['reopen', over], 'issue'],
  comment: [({ first }) => ['comment', first, '-m', 'x'], 'event'],
  'tag add': [({ first }) => ['tag', 'add', first, 'y'], 'issue'],
  'tag rm': [({ first }) => ['tag', 'rm', first, 'x'], 'issue'],
  'dep add': [({ mine, third }) => ['dep', 'add', mine, 'relates', third], 'link'],
  'dep rm': [({ first, third }) => ['dep', 'rm', first, 'relates', third], 'link'],
  'dep list': [() => ['dep', 'list'], 'link'],
  'dep cycles': [() => ['dep', 'cycles'], 'circle', [0, 1]],
  tree: [() => ['tree', '--all'], 'tree'],
  block: [({ mine, first }) => ['block', mine, '--by', first], 'link'],
  ready: [() => ['ready'], 'issue'],
  claim: [({ first }) => ['claim', first], 'issue'],
  'claim --renew': [() => ['claim', '--renew'], 'issue'],
  release: [({ mine }) => ['release', mine], 'issue'],
  'list --stale': [() => ['list', '--stale', '--older-than', '0s'], 'issue'],
  stats: [() => ['stats', '--by', 'tag'], 'stats'],
  search: [() => ['search', 'x OR t'], 'hit'],
  batch: [() => ['batch', 'acts.jsonl'], 'acted'],
  blocked: [() => ['blocked'], 'waiting'],
  wait: [({ over }) => ['wait', over], 'issue'],
  migrate: [() => ['migrate', 'original'], 'migration'],
  history: [({ first }) => ['history', first], 'history'],
  clean: [() => ['clean', '--older-than', '1ms'], 'issue'],
  compact: [() => ['compact'], 'compaction'],
  import: [() => ['import', 'findings.jsonl'], 'imported'],
  export: [() => ['export'], 'event'],
  'list --conflicts': [() => ['list', '--conflicts'], 'conflict'],
  prime: [() => ['prime'], 'primer'],
  doctor: [() => ['doctor'], 'diagnosis'],
  where: [() => ['where'], 'store'],
  'doctor --log': [() => ['doctor', '--log'], 'report'],
  config: [() => ['config'], 'setting'],
  'config --unset': [() => ['config', 'lease', '--unset'], 'setting'],
}

/** Verbs whose output only a terminal sees. */
const withoutRecord = ['board']

let peopled: Peopled
beforeAll(() => {
  peopled = peopledStore()
})

describe('tissue schema', () => {
  it.each(Object.entries(samples))(
    'describes what %s prints with --json and --jsonl',
    (_, [argv, record, codes = [0]]) => {
      const schema = z.fromJSONSchema(JSON.parse(tissue(peopled.cwd, ['schema', record]).stdout))
      for (const mode of ['--json', '--jsonl']) {
        const cwd = tempFolder('schemas')
        cpSync(peopled.cwd, cwd, { recursive: true })
        const { code, stdout, stderr } = run('tissue', [...argv(peopled), mode], { cwd, env: { JWZ_AGENT: 'ada' } })
        expect(codes, stderr).toContain(code)
        const printed = stdout
          .trim()
          .split('\n')
          .flatMap((line) => JSON.parse(line))
        expect(printed.length).toBeGreaterThan(0)
        for (const value of printed) {
          const { success, error } = schema.safeParse(value)
          expect(success, `${JSON.stringify(value).slice(0, 500)}\n${error?.message.slice(0, 500)}`).toBe(true)
        }
      }
    },
  )

  it('is asked here of every verb', () => {
    expect(
      Object.keys(verbs)
        .filter((verb) => !withoutRecord.includes(verb))
        .sort(),
      'each verb of src/verbs.ts is a line of samples in this file',
    ).toEqual([...new Set(Object.keys(samples).map((name) => name.replace(/ -.*/, '')))].sort())
  })
})
