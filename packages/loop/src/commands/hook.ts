import { defineVerb } from '@switchyard/cli-kit'
import { hosts } from '@switchyard/wire/host'
import { answerHook } from '../hook/answer-hook.ts'
import { acts } from '../hook/events.ts'

/**
 * `loop hook`: answers the host of an agent, whose JSON names the event. Exits 0, whatever happens. Before the event
 * was read from there, it was a word behind `hook`: settings that say so stay as they are.
 */
export const hook = defineVerb({
  summary: 'Answer the hooks of an agent; its host calls this, with the event as JSON on stdin',
  args: [{ name: 'event', summary: 'Only in settings of an earlier version; else told by the JSON', optional: true }],
  flags: {
    host: { type: 'string', value: 'NAME', summary: `${hosts.join(', ')}; else told by the JSON` },
    timeout: { type: 'duration', default: '10m', summary: 'Time that the host gives a stop; it is answered sooner' },
  },
  examples: ['loop hook --host claude'],
  async run(call) {
    if (call.args.event !== 'check') await answerHook(call, acts)
    else await (await import('../hook/hook-check.ts')).hookCheck(call)
    return undefined
  },
})
