import { resolve } from 'node:path'
import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { recordingIn, recordingOf } from '../replay/recording.ts'
import { replay as doAgain } from '../replay/replay.ts'
import type { Replayed } from '../replay/replay-schema.ts'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { needScope } from '../session/scope-store.ts'

/**
 * `scope replay`: an agent for tests, which says again what a recorded one said and makes its edits again in the current
 * folder, whatever it is asked. Exits 1 where a file is not as the recorded agent found it.
 */
export const replay = defineVerb({
  summary: 'Say and write again what the agent of a session did, as an agent for tests',
  args: [{ name: 'session', summary: 'Id or name', optional: true, complete: 'session' }],
  flags: {
    file: {
      type: 'string',
      short: 'F',
      value: 'FILE',
      summary: 'What scope trajectory --json printed, in place of a session',
    },
  },
  examples: ["echo 'Do it' | scope run -- scope replay 0", 'scope trajectory 0 --json >0.json; scope replay -F 0.json'],
  async run(call) {
    const { args, flags, cwd, input, output } = call
    const name = args.session
    if ((name === undefined) === (flags.file === undefined)) {
      throw new Failure('usage', `expected a session or --file, got ${name === undefined ? 'neither' : 'both'}`)
    }
    // Whoever asks it must not find its stdin closed.
    if (!input.isTerminal) input.readAll()
    const recording =
      flags.file === undefined ? await ofSession(call, name ?? '') : recordingIn(resolve(cwd, flags.file))
    const replayed = doAgain(recording, cwd, (text) => output.note(text.trimEnd()))
    for (const path of replayed.left_out) output.note(`left out: ${path} lies outside of where it worked`)
    output.one(replayed, shownReplay)
    return undefined
  },
})

async function ofSession(call: Parameters<typeof needScope>[0] & Parameters<typeof scribeOf>[0], name: string) {
  const store = needScope(call)
  return recordingOf(store, await look(scribeOf(call, store), name), call.env)
}

const shownReplay: Shown<Replayed> = { text: ({ text }) => text, id: ({ session }) => session ?? '' }
