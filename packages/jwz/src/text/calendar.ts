import { renderTime } from './message-line.ts'

const months = 'January February March April May June July August September October November December'.split(' ')

/** A time as a date a person reads, in UTC: `21 November 2026`; a bare number where no calendar has it. */
export function renderDay(at: number): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)T/.exec(renderTime(at)) ?? []
  if (!year) return renderTime(at)
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`
}

/** Time of day in UTC to the minute, `08:15`; with its date, `2026-11-21 08:15`, unless it is of the day `day`. */
export function renderMinute(at: number, day?: string): string {
  const text = renderTime(at)
  if (!/^\d{4}-/.test(text)) return text
  return renderDay(at) === day ? text.slice(11, 16) : text.slice(0, 16).replace('T', ' ')
}
