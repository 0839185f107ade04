// What hot verbs take from the schemas: compiled, and lists of words.
import { checkOf, checksOf } from '@switchyard/ground/check-of'
import {
  depKind,
  issueType,
  knownEvent,
  laterRecord,
  sequence,
  singleEvent,
  status,
  unknownEvent,
} from './event-schema.ts'
import { finding } from './schemas.ts'

export { seqMax } from './event-schema.ts'

/** Statuses in the order help shows them. */
export const statuses = status.options

/** Kinds of dependency. */
export const depKinds = depKind.options

/** The types of events that this version can fold. */
export const eventTypes: readonly string[] = knownEvent.options.map(({ shape }) => shape.type.value)

/** Whether a word can be the type of an issue. */
export const isIssueType = checkOf(issueType)

/** Whether a value is a sequence number. */
export const isSequence = checkOf(sequence)

/** Whether a parsed line has the envelope of an event, known or not. */
export const isEvent = checkOf(unknownEvent)

/** Whether a parsed line is an event that this version can fold. */
export const isKnownEvent = checkOf(knownEvent)

/** Whether an element of a batch is an event that this version can fold. */
export const isSingleEvent = checkOf(singleEvent)

/** Whether a parsed line is a record of a version after this. */
export const isLaterRecord = checkOf(laterRecord)

/** Whether a parsed line is a finding of `deepscan`. */
export const isFinding = checkOf(finding)

/** What each field of a finding has to be. */
export const findingFields = checksOf(finding.shape)
