import { Failure } from '@switchyard/ground/failure'

/** Bytes an encoded segment may have; file systems stop at 255, and a sealed name and the ending want their share. */
const segmentBytesMax = 200

const extension = '.jsonl'

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** Names that stand for themselves: nearly all, and each look at a topic would pay for going through their bytes. */
const plainPattern = /^[a-z0-9_-]+$/

function encodeSegment(segment: string): string {
  if (plainPattern.test(segment)) return segment
  let encoded = ''
  for (const byte of Buffer.from(segment)) {
    const character = String.fromCharCode(byte)
    encoded += /[a-z0-9._-]/.test(character) ? character : percent(byte)
  }
  if (encoded.startsWith('.')) encoded = percent(0x2e) + encoded.slice(1)
  const ending = /\.(jsonl|lock)$/.exec(encoded)
  return ending ? `${encoded.slice(0, ending.index)}${percent(0x2e)}${ending[1]}` : encoded
}

function isShort(encoded: string): boolean {
  return encoded.length <= segmentBytesMax
}

/**
 * Any name as the name of one file or folder, encoded like a word of a topic, colons too. Fails as bad input on one
 * that is too long for a file name.
 */
export function fileWord(name: string): string {
  const encoded = encodeSegment(name)
  if (isShort(encoded)) return encoded
  throw new Failure('usage', `a name has at most ${segmentBytesMax} bytes when encoded; got ${encoded.length}`, {
    hint: 'use a shorter name',
  })
}

/**
 * The path of a topic's file below the `topics` folder: `issue:auth-123` is `issue/auth-123.jsonl`. A colon makes a
 * folder; bytes outside `[a-z0-9._-]`, a leading dot and the endings `.jsonl` and `.lock` are percent-encoded, so that
 * no name leaves the folder or meets another's file. Fails as bad input on an empty name, an empty segment, `.`, `..`
 * and a segment too long for a file name.
 */
export function topicFile(topic: string): string {
  const segments = topic.split(':')
  const files = segments.map((segment) => {
    if (segment === '' || segment === '.' || segment === '..') {
      throw new Failure('usage', `a topic is words joined by ":", such as issue:auth-123; got ${JSON.stringify(topic)}`)
    }
    const encoded = encodeSegment(segment)
    if (!isShort(encoded)) {
      throw new Failure(
        'usage',
        `a part of a topic has at most ${segmentBytesMax} bytes when encoded; got ${encoded.length}`,
        {
          hint: 'use a shorter topic and put the rest into the message',
        },
      )
    }
    return encoded
  })
  return files.join('/') + extension
}

/**
 * The topic that `file` (a path below the `topics` folder) belongs to, or undefined when it is no topic's active file.
 */
export function topicOfFile(file: string): string | undefined {
  if (!file.endsWith(extension)) return undefined
  const segments = file.slice(0, -extension.length).split('/')
  let topic: string
  try {
    topic = segments.map((segment) => decodeURIComponent(segment)).join(':')
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
  const isTopic = topic.split(':').every((word) => !['', '.', '..'].includes(word)) && segments.every(isShort)
  return isTopic && topicFile(topic) === file ? topic : undefined
}
