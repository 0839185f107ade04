import type { Session } from '../session/fold-session.ts'
import { parentOf } from '../session/session-id.ts'

/** What an agent must know, most important first, because long texts are cut off. `own` is its session, if it has one. */
export function primer(own: Session | undefined): string {
  return `scope starts other agents in sessions of their own, and shows how they stand. ${whoOf(own)}

Start one, when a part of the task would fill your context, or can go on beside your own work
  scope spawn "TASK"                         prints its id at once; --type explore|implement|test|review|refactor
  scope spawn - --input src/auth < task.md   say in the task all that it has to know; its last message is your answer
  scope spawn "TASK" --wait                  waits, and prints the answer

Look and wait
  scope poll ID              JSON: status, turn, activity, needs_input, result
  scope wait ID... --text    until all are over; prints their answers; --any, --timeout 20m
  scope result ID            the last answer, byte for byte
  scope list                 the tree of sessions

Stop
  scope exit "REASON"        stops your own session on purpose: its way leads nowhere, and this is why
  scope abort ID             ends a session with all that it started; its files stay
  scope resume ID "TEXT"     goes on with one that is over

Rules
- Do a quick look or a small edit yourself: a session costs a start, and knows nothing that you do not tell it.
- Start those that need not wait for each other together, then wait for all of them at once.
- Wait for your children before you say that you are done.
- Exit codes of wait: 0 all done, 1 one failed, 5 one was aborted or exited, 124 timed out.
- Never edit .scope by hand. scope help VERB has an example.
`
}

function whoOf(own: Session | undefined): string {
  if (own === undefined) return 'You are in no session of it.'
  const parent = parentOf(own.id)
  const from = parent === undefined ? 'a person or a script started you' : `session ${parent} started you`
  const children = own.children.length === 0 ? '' : `; you started ${own.children.join(', ')}`
  return `You are session ${own.id}: ${from}${children}.`
}
