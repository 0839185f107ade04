// Whether those who wrote a field without having seen each other agree.
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
