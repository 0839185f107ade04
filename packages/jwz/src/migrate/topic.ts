import { createHash } from 'node:crypto'
import { isFailure } from '@switchyard/ground/failure'
import { topicFile } from '@switchyard/topic'

/** Characters that stay of a word too long for a file name; each takes at most twelve bytes there. */
const wordLengthMax = 12

/**
 * The topic that a name of the original becomes: itself where it is legal. Any other is made legal and gets the
 * beginning of its own hash, so that it is the same at each migration and no other name's.
 */
export function legalTopic(name: string): string {
  if (isLegal(name)) return name
  const words = name
    .split(':')
    .filter((word) => word !== '')
    .map((word) => (word === '.' || word === '..' ? word.replaceAll('.', '_') : word))
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6)
  const whole = `${words.join(':') || 'topic'}-${mark}`
  if (isLegal(whole)) return whole
  return `${words.map((word) => Array.from(word).slice(0, wordLengthMax).join('')).join(':')}-${mark}`
}

function isLegal(name: string): boolean {
  try {
    return topicFile(name) !== ''
  } catch (error) {
    if (isFailure(error)) return false
    throw error
  }
}
