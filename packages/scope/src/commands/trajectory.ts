import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { renderAge } from '@switchyard/cli-kit/age'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { needScope } from '../session/scope-store.ts'
import { membersOf, readTrajectory } from '../trajectory/read-trajectory.ts'
import type { StepView } from '../trajectory/step-schema.ts'

/** `scope trajectory`: what an agent was told, said and did, step by step; of a loop those of all its sessions. */
export const trajectory = defineVerb({
  summary: 'Print what an agent was told, said and did, step by step',
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  flags: {
    full: { type: 'boolean', summary: 'All of each step, not one line' },
    tools: { type: 'boolean', summary: 'Only its tools and their results' },
    since: { type: 'duration', summary: 'Only steps of so long ago at most' },
  },
  examples: ['scope trajectory 0', 'scope trajectory 0 --tools --json | jq -r .[].tool'],
  async run(call) {
    const { args, env, flags, output } = call
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const session = await look(scribe, args.session)
    const members = membersOf(store, session)
    const from = flags.since === undefined ? 0 : call.now() - flags.since
    const steps = members
      .flatMap((member) => readTrajectory(store, member, env))
      .filter(({ at }) => (at ?? from) >= from)
      .filter(({ step }) => !flags.tools || step === 'tool' || step === 'tool-result')
    output.list(steps, { ...shownStep(call.now(), flags.full, members.length > 1), empty: 'no steps yet' })
    return undefined
  },
})

const marks: Readonly<Record<StepView['step'], string>> = {
  prompt: 'told',
  text: 'said',
  tool: 'did',
  'tool-result': 'got',
}

function shownStep(now: number, isFull: boolean, hasMany: boolean): Shown<StepView> {
  return {
    text: ({ session, at, step, tool, text, summary, failed }) => {
      const age = at === null ? '' : renderAge(at, now)
      const who = hasMany ? `${session}  ` : ''
      const mark = failed ? 'failed' : marks[step]
      const words = isFull && tool !== null ? `${tool} ${text}` : text
      return `${age.padStart(8)}  ${who}${mark.padEnd(6)}  ${isFull ? words.trimEnd() : summary}`
    },
    id: ({ session }) => session,
  }
}
