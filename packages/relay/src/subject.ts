// Which subject of the stream a topic's messages have. Total and reversible: every topic has one subject, and every
// subject belongs to one topic or to none.

/** Characters a subject may have: the server takes command lines of 4 KB. */
const subjectLengthMax = 2_000

/** Percent-encodes what is not in `[A-Za-z0-9_-]`, byte by byte. */
function encodeWord(word: string): string {
  let encoded = ''
  for (const byte of Buffer.from(word)) {
    const character = String.fromCharCode(byte)
    encoded += /[A-Za-z0-9_-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

/**
 * The subject of a topic in a stream: `issue:auth-123` in `jwz` is `jwz.topic.issue.auth-123`. Colons become dots;
 * bytes outside `[A-Za-z0-9_-]` are percent-encoded. Undefined when it is too long for the server.
 */
export function subjectOf(stream: string, topic: string): string | undefined {
  const subject = [stream, 'topic', ...topic.split(':').map(encodeWord)].join('.')
  return subject.length <= subjectLengthMax ? subject : undefined
}

/** All topics of a stream. */
export function topicSubjects(stream: string): string {
  return `${stream}.topic.>`
}

/** The topic of a subject, or undefined when it is not exactly what `subjectOf` makes of one. */
export function topicOfSubject(stream: string, subject: string): string | undefined {
  const prefix = `${stream}.topic.`
  if (!subject.startsWith(prefix)) return undefined
  try {
    const topic = subject.slice(prefix.length).split('.').map(decodeURIComponent).join(':')
    return subjectOf(stream, topic) === subject ? topic : undefined
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** What names a record for the server: ids are unique in their topic only, and may have any characters. */
export function messageIdOf(subject: string, id: string): string {
  return `${subject}/${encodeWord(id)}`
}

/** The subject of part `at` (from 0) of a blob that was cut into `count` parts. */
export function partSubject(stream: string, sha256: string, count: number, at: number): string {
  return `${stream}.blob.${sha256}.${count}.${at}`
}

/** All parts of a blob, however it was cut. */
export function partSubjects(stream: string, sha256: string): string {
  return `${stream}.blob.${sha256}.>`
}
