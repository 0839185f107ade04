import type { Shown } from '@switchyard/cli-kit'
import type { Envelope } from './envelope-schema.ts'

/** The answer as the agent gave it; its session is its id. */
export const shownEnvelope: Shown<Envelope> = {
  text: ({ text }) => text,
  id: ({ session }) => session ?? '',
}
