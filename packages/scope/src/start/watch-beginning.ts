// An agent that says nothing by its hooks, though it was told its contract at its start, asks a person first: whether
// to trust a folder, or a hook. Its screen is all that tells of it.
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { isFailure } from '@switchyard/ground/failure'
import type { Session } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import { record, type Scribe } from '../session/record.ts'
import { isOver } from '../session/transitions.ts'
import { cut, oneLine } from '../short-text.ts'
import { readScreen } from '../tmux/terminal.ts'

const by = 'supervisor'
const lookMs = 500
const patienceMs = 8000
const looksAlike = 4
const reasonLengthMax = 200

type At = { readonly env: Readonly<Record<string, string>>; readonly cwd: string }

const mayAsk = (session: Session | undefined) =>
  session !== undefined && !isOver(session.state) && !session.isReady && session.needs === null

/** Looks at the screen of an agent until it has begun; where that stands still instead, its session needs input. */
export function watchBeginning(scribe: Scribe, id: string, { env, cwd }: At): { readonly stop: () => void } {
  const { store, now } = scribe
  const begun = now()
  let [before, alike] = ['', 0]
  const look = async () => {
    if (!mayAsk(readSession(store, id))) return watch.stop()
    if (now() - begun < patienceMs) return
    const screen = (await readScreen({ store, env, cwd }, id, 0)).trim()
    alike = screen !== '' && screen === before ? alike + 1 : 0
    before = screen
    if (alike < looksAlike) return
    watch.stop()
    const reason = `before it begins, it asks: ${questionOn(redactorOf(env)(screen))}`
    await record(scribe, id, (session) => (mayAsk(session) ? [{ event: 'turn', by, turn: 'needs_input', reason }] : []))
  }
  const timer = setInterval(() => {
    look().catch((error) => {
      // A terminal that was closed has no screen any more.
      if (!isFailure(error)) throw error
    })
  }, lookMs)
  const watch = { stop: () => clearInterval(timer) }
  return watch
}

/** The line that asks, else the first one. */
function questionOn(screen: string): string {
  const lines = screen.split('\n').map(oneLine).filter(Boolean)
  return cut(lines.find((line) => line.includes('?')) ?? lines[0] ?? '', reasonLengthMax)
}
