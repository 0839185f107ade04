// Whether those who wrote a field without having seen each other agree.
import type { StatusWrite } from './fact.ts'
import type { Register } from './register.ts'

/** Whether nobody wrote another value than the one that won. An unsettled field takes a write of any value. */
export function isSettled<T>(register: Register<T> | undefined): boolean {
  return (register?.rivals ?? []).every(({ value }) => valueText(value) === valueText(register?.value))
}

/** A value as it counts between two writers: who set the same status agree, whenever and for whatever reason. */
export function valueText(value: unknown): string {
  const hasStatus = typeof value === 'object' && value !== null && 'status' in value
  return JSON.stringify(hasStatus ? value.status : value)
}

/** The reasons for which an issue was ended, where one that lost says something that the winner does not. */
export function endReasons({ value, ...rest }: Register<StatusWrite>): Register<string | null> | undefined {
  const isEnd = value.status === 'closed' || value.status === 'duplicate'
  const rivals = (rest.rivals ?? []).filter((one) => one.value.status === value.status)
  const isLost = rivals.some((one) => one.value.reason !== undefined && one.value.reason !== value.reason)
  if (!isEnd || !isLost) return undefined
  const reasonOf = ({ reason }: StatusWrite) => reason ?? null
  return { ...rest, value: reasonOf(value), rivals: rivals.map((one) => ({ ...one, value: reasonOf(one.value) })) }
}
