import { describe, expect, it } from 'vitest'
import { messageIdOf, subjectOf, topicOfSubject } from '../src/subject.ts'

const pairs: [topic: string, subject: string][] = [
  ['news', 's.topic.news'],
  ['issue:auth-123', 's.topic.issue.auth-123'],
  ['a.b:c', 's.topic.a%2Eb.c'],
  ['*:>', 's.topic.%2A.%3E'],
  ['two words', 's.topic.two%20words'],
  ['Ünï', 's.topic.%C3%9Cn%C3%AF'],
  ['50%', 's.topic.50%25'],
  ['a\nb', 's.topic.a%0Ab'],
]

describe('the subject of a topic', () => {
  it.each(pairs)('for %j is %s, and back', (topic, subject) => {
    expect(subjectOf('s', topic)).toBe(subject)
    expect(topicOfSubject('s', subject)).toBe(topic)
  })

  it('is another for every topic of one or two characters', () => {
    const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((c) => c !== ':')
    const topics = characters.flatMap((first) => [first, ...characters.map((second) => `${first}${second}`)])
    const subjects = topics.map((topic) => subjectOf('s', topic))
    expect(new Set(subjects).size).toBe(topics.length)
    expect(subjects.map((subject) => topicOfSubject('s', subject ?? ''))).toEqual(topics)
  })

  it.each(['s.topic.a%2eb', 's.topic.%41', 's.topic.a%', 's.topic.%FF', 's.blob.a', 't.topic.a', 's.topic.a*'])(
    'is never %s',
    (subject) => {
      expect(topicOfSubject('s', subject)).toBeUndefined()
    },
  )

  it('is missing when the server could not take it', () => {
    expect(subjectOf('s', 'a:'.repeat(1_500))).toBeUndefined()
  })
})

describe('the id for the server', () => {
  it('tells equal ids of two topics apart, and has no character that a header may not have', () => {
    expect(messageIdOf('s.topic.a', 'x')).not.toBe(messageIdOf('s.topic.b', 'x'))
    expect(messageIdOf('s.topic.a', 'x\r\ny ü')).toBe('s.topic.a/x%0D%0Ay%20%C3%BC')
  })
})
