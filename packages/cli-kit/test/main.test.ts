import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { completions } from '../src/completion.ts'
import { completionTable } from '../src/completion-table.ts'
import { renderTool } from '../src/help.ts'
import type { Tool } from '../src/tool.ts'
import { defineVerb } from '../src/verb.ts'

const main = defineVerb({
  summary: 'Ring a bell',
  flags: { times: { type: 'integer', value: 'N', min: 1, max: 9, summary: 'How often' } },
  examples: ['bell --times 3'],
  run: () => undefined,
})

const bell: Tool = {
  name: 'bell',
  summary: 'Bells',
  version: '1.0.0',
  verbs: {},
  main: () => Promise.resolve(main),
}

describe('a tool that does one thing', () => {
  it('has the page of that as its own', async () => {
    const page = await renderTool(bell)
    expect(page).toContain('Ring a bell (bell v1.0.0)\n\nUSAGE\n  bell [flags]\n')
    expect(page).toContain('EXAMPLES\n  bell --times 3\n')
  })

  it('completes its flags where a verb would stand, and behind', async () => {
    const table = await completionTable(bell)
    expect(table.at(-1)).toMatchObject({ name: '', summary: 'Ring a bell' })
    const bash = completions['bash']?.('bell', table, {}) ?? ''
    const complete = (...words: string[]) => {
      const split = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
      const { stdout, stderr } = spawnSync('bash', ['--norc', '-uc', `${bash}${split}; _bell; echo "\${COMPREPLY[*]}"`])
      expect(stderr.toString()).toBe('')
      return stdout.toString().trim()
    }
    expect(complete('bell', '--t')).toBe('--times')
    expect(complete('bell', 'h')).toBe('help')
    expect(complete('bell', '--times', '3', '--js')).toBe('--json --jsonl')
    expect(complete('bell', '--times', '--js')).toBe('')
    expect(completions['zsh']?.('bell', table, {})).toContain("[[ $PREFIX == -* ]] && choices=('--times:How often'")
    expect(completions['fish']?.('bell', table, {})).toContain("-n '__fish_use_subcommand' -l times -r -d 'How often'")
  })
})
