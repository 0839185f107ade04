import { type Call, defineVerb } from '@switchyard/cli-kit'
import { hosts } from '@switchyard/wire/host'
import { isNamed } from '../hook/own-session.ts'

const spec = {
  summary: 'Note what an agent does; its host calls this, with the event as JSON on stdin',
  flags: {
    host: { type: 'string', value: 'NAME', summary: `${hosts.join(', ')}; else told by the JSON` },
    launched: { type: 'boolean', summary: 'Of the hooks that came with the start of the agent' },
  },
  examples: ['scope hook --host claude'],
} as const

/**
 * `scope hook`: what the host of an agent tells of it, for the session that the agent was started in. Prints nothing and
 * exits 0, whatever happens; in any other session it does nothing at all.
 */
export const hook = defineVerb({
  ...spec,
  async run(call) {
    if (isNamed(call) && call.flags.launched === (call.env['SCOPE_HOOKS'] === 'launched')) await noteOrLog(call)
    else drain(call)
    return undefined
  },
})

/** A host that cannot write all that it has to say takes that for a failure of the hook. */
function drain({ input }: Call<typeof spec>): void {
  if (input.isTerminal) return
  const chunks = input.chunks()[Symbol.iterator]()
  while (chunks.next().done !== true);
}

/** What goes wrong is told to whoever looks into the session, and to no agent. */
async function noteOrLog(call: Call<typeof spec>): Promise<void> {
  try {
    await (await import('../hook/note-event.ts')).noteEvent(call, call.flags.host)
  } catch (error) {
    await (await import('../hook/log-failure.ts')).logFailure(call, error)
  }
}
