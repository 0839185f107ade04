import { setTimeout as sleep } from 'node:timers/promises'
import { defineVerb } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { Failure } from '@switchyard/ground/failure'
import { untilIdle } from '../end/until-idle.ts'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { needScope } from '../session/scope-store.ts'
import { requireTerminal } from '../tmux/require-terminal.ts'
import { findControl, paste, press } from '../tmux/terminal.ts'

/** Between a paste and the key that submits it, and between the key that stops a turn and a paste. */
const settleMs = 300

/**
 * `scope send`: gives a session's agent something to read, as if somebody had pasted it and pressed Enter. Exits 2 on
 * control characters, 5 when it has no terminal or asks something, 124 when it is not idle in time.
 */
export const send = defineVerb({
  summary: 'Say something to the agent of a session, in its terminal',
  args: [
    { name: 'session', summary: 'Id or name', complete: 'session' },
    { name: 'text', summary: 'What it is told; - takes it from stdin', optional: true },
  ],
  flags: {
    file: { type: 'string', value: 'FILE', short: 'F', summary: 'Take the text from a file' },
    answer: { type: 'boolean', summary: 'Also while it asks something: the text is typed as the answer' },
    interrupt: { type: 'boolean', summary: 'Stop its turn first' },
    'wait-idle': { type: 'duration', summary: 'Wait for the end of its turn first, for at most so long' },
  },
  examples: ['scope send 0 "Also run the linter"', 'git diff | scope send 0 -'],
  async run(call) {
    const { args, flags, output } = call
    const source = args.text === '-' ? { stdin: args.text } : { text: args.text }
    const text = readBody({ ...source, file: flags.file }, call)
    if (text === undefined || text === '') throw new Failure('usage', 'expected a text to send, got nothing')
    const control = findControl(text)
    if (control !== undefined) {
      throw new Failure('usage', `expected text without control characters, got \\u${hexOf(control)}`, {
        hint: 'put it into a file, and send its path',
      })
    }
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const session = await look(scribe, args.session)
    const place = await requireTerminal(call, store, session)
    if (session.needs !== null && !flags.answer) {
      throw new Failure('conflict', `session ${session.id} asks something: ${session.needs}`, {
        hint: `scope attach ${session.id}, or answer it: scope send ${session.id} --answer TEXT`,
      })
    }
    if (flags['wait-idle'] !== undefined) await untilIdle(scribe, session.id, flags['wait-idle'], call.interrupted())
    if (flags.interrupt) {
      await press(place, session.id, 'Escape')
      await sleep(settleMs)
    }
    await paste(place, session.id, text)
    await sleep(settleMs)
    await press(place, session.id, 'Enter')
    const sent = { v: 1, id: session.id, bytes: Buffer.byteLength(text) }
    output.one(sent, { text: ({ id, bytes }) => `session ${id} was told ${bytes} bytes`, id: ({ id }) => id })
    return undefined
  },
})

const hexOf = (text: string) => text.charCodeAt(0).toString(16).padStart(4, '0')
