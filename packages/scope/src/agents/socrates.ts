import type { Adapter } from '../adapter.ts'
import { readPlain } from './plain.ts'

/** The built-in agent, `socrates run`. */
export const socrates: Adapter = {
  name: 'socrates',
  isAgent: true,
  resumes: true,
  command: ({ model, resume }) => [
    ...['socrates', 'run', '-p', '-'],
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(resume === undefined ? [] : [`--session=${resume}`]),
  ],
  read: readPlain,
}
