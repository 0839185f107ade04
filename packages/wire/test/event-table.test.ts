import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { eventIn, eventNamed } from '../src/event-name.ts'

const page = readFileSync(new URL('../../../docs/formats/hook.md', import.meta.url), 'utf8')
/** The rows of the table of events: our name, then those of Claude Code, Codex and Gemini CLI. */
const rows = page.slice(page.indexOf('| event | Claude Code |'), page.indexOf('| read |')).matchAll(/^\| `.*$/gm)
const told = [...rows].map(([row]) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')))

it('every event is a row of docs/formats/hook.md', () => {
  let known = ''
  try {
    eventNamed('')
  } catch (error) {
    known = String(error)
  }
  const names = /expected (.*), got/.exec(known)?.[1]?.split(', ').toSorted()
  expect(names, 'each event of event-name.ts is a row of docs/formats/hook.md').toEqual(
    told.map(([, event]) => event).toSorted(),
  )
})

it.each(told)('%s%s: the names that hosts have for it', (_, event = '', ...hosts) => {
  const names = hosts.slice(0, 3).flatMap((cell) => cell.split(', ').filter((name) => name !== ''))
  expect(names.map((name) => eventIn({ hook_event_name: name }))).toEqual(names.map(() => event))
})
