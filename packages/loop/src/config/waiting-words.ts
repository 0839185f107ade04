// What is said, wherever it is, of settings that wait for the person's trust.
import { configName } from './config-text.ts'

/** What to do about it. */
export const howToTrust = 'look at it, then type: loop trust'

/** To be read behind the name of the file. */
export const waitingWords = (waits: readonly string[]) => `waits for your trust, and would set ${waits.join(', ')}`

/** All of it, as one line. */
export const waitingLine = (waits: readonly string[]) => `${configName} ${waitingWords(waits)}; ${howToTrust}`
