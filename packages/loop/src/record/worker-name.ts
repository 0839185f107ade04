import type { Session } from '../state/event-schema.ts'

/** Characters of a run's id that its workers carry: its random end tells runs apart, and stays readable. */
const runNameLength = 6

/** The name of a run's worker by its number, from 1 on. */
export const workerOfRun = (run: string, number: number) => `loop-${run.slice(-runNameLength)}-${number}`

/** The name by which a session of an agent signs what it records. */
export const workerOfSession = ({ host, id }: Session) =>
  `${host}-${id.replace(/[^A-Za-z0-9]/g, '').slice(0, 8) || 'session'}`
