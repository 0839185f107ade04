import { harmlessText } from '@switchyard/cli-kit/harmless-text'
import type { z } from 'zod'
import { type AnsweredFinding, answeredFinding, answerShell, withNames } from './answer-schema.ts'
import { type FoundObject, jsonObjects } from './json-objects.ts'
import { findMarker, type Marker } from './markers.ts'

/** An answer about a chunk, of which every part has been looked at. */
export type Answer = {
  readonly status: 'completed' | 'partial' | 'failed'
  readonly findings: readonly AnsweredFinding[]
  readonly missing: readonly string[]
  readonly partial: string | null
}

/**
 * What an agent's words come to. `invalid` says in `fault`, for the agent, what was expected; `answer` there is what of
 * it can be used.
 */
export type Reading =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'invalid'; readonly fault: string; readonly answer?: Answer }
  | { readonly kind: 'more'; readonly why: string; readonly answer?: Answer }
  | { readonly kind: 'unable'; readonly why: string }

/** What is known of the chunk that was asked about. */
export type Asked = { readonly id: string; readonly paths: ReadonlySet<string> }

const faultsMax = 5

/**
 * Reads an answer: the last JSON object that is one, and the marker beside it. What a terminal would act on is taken
 * out first. An answer about another chunk is none.
 */
export function readAnswer(output: string, asked: Asked): Reading {
  const text = harmlessText(output)
  const objects = jsonObjects(text)
  const marker = findMarker(text, objects)
  const read = readObjects(objects, asked)
  if (marker?.word === 'NEEDS_MORE') {
    return { kind: 'more', why: marker.text, ...(read.kind === 'answer' ? { answer: read.answer } : {}) }
  }
  if (marker?.word === 'UNABLE' && objects.length === 0) return { kind: 'unable', why: marker.text }
  return read.kind === 'invalid' && objects.length === 0 ? { kind: 'invalid', fault: noObject(text, marker) } : read
}

function noObject(text: string, marker: Marker | undefined): string {
  if (text.trim() === '') return 'expected one JSON object, got nothing'
  if (marker?.word === 'FINAL_VAR') return `expected one JSON object, got the name ${marker.text} of one`
  if (text.includes('{')) return 'expected one whole JSON object, got one that is cut off or no JSON'
  return 'expected one JSON object, got text without any'
}

type Read = Extract<Reading, { kind: 'answer' | 'invalid' }>

function readObjects(objects: readonly FoundObject[], asked: Asked): Read {
  let fault = 'expected one JSON object, got none'
  for (const { value } of objects.toReversed()) {
    const shell = answerShell.safeParse(withNames(value))
    if (!shell.success) {
      if (looksLikeAnswer(value)) return { kind: 'invalid', fault: faultsOf(shell.error, '') }
      fault = 'expected a JSON object with chunk, status and findings, got another'
      continue
    }
    if (shell.data.chunk !== asked.id) {
      return { kind: 'invalid', fault: `expected "chunk": "${asked.id}", got "${shell.data.chunk.slice(0, 40)}"` }
    }
    const { status, findings, missing_info, partial_answer } = shell.data
    const { good, faults } = readFindings(findings, asked)
    const answer = { status, findings: good, missing: missing_info, partial: partial_answer }
    return faults.length === 0 ? { kind: 'answer', answer } : { kind: 'invalid', fault: faults.join('; '), answer }
  }
  return { kind: 'invalid', fault }
}

const looksLikeAnswer = (value: Record<string, unknown>) =>
  ['findings', 'chunk', 'chunk_id', 'status'].some((name) => Object.hasOwn(value, name))

function readFindings(findings: readonly unknown[], { paths }: Asked): { good: AnsweredFinding[]; faults: string[] } {
  const good: AnsweredFinding[] = []
  const faults: string[] = []
  for (const [place, raw] of findings.entries()) {
    const where = `findings[${place}]`
    const read = answeredFinding.safeParse(withNames(raw))
    if (!read.success) faults.push(faultsOf(read.error, where))
    else if (!paths.has(read.data.path))
      faults.push(`${where}.path: expected a file of this part, got ${read.data.path}`)
    else good.push({ ...read.data, quote: withoutNumbers(read.data.quote) })
  }
  return { good, faults: faults.slice(0, faultsMax) }
}

function faultsOf(error: z.ZodError, where: string): string {
  const faults = error.issues.map(
    ({ path, message }) => `${[where, ...path].filter((part) => part !== '').join('.')}: ${message}`,
  )
  return faults.slice(0, faultsMax).join('; ')
}

/** A quote without the line numbers of the prompt, where each of its lines has one. */
function withoutNumbers(quote: string): string {
  const lines = quote.split('\n')
  const numbered = /^\s*\d+\| ?/
  return lines.every((line) => numbered.test(line)) ? lines.map((line) => line.replace(numbered, '')).join('\n') : quote
}
