// Variables as a shell holds them: subshells and branches have a scope of their own, and see those around it.
import { hole } from './command.ts'
import { limits } from './limits.ts'

/** What a variable may hold: one text, or one of several. */
export type Values = readonly string[]

export type Scope = {
  readonly own: Map<string, Values>
  readonly exported: Set<string>
  /** Exported ones that the rules look at, a few. */
  readonly told: Set<string>
  /** Declared by `local` in a function, whose caller does not see them. */
  readonly locals: Set<string>
  readonly around: Scope | undefined
  /** A program of its own: it sees what is exported. */
  readonly isSealed: boolean
}

/** Variables that the environment has anyway, so that a program always gets what a shell makes of them. */
const environment = new Set(['HOME', 'PWD', 'PATH', 'SHELL', 'USER', 'TMPDIR'])

export function scopeIn(around: Scope | undefined, isSealed = false): Scope {
  return { own: new Map(), exported: new Set(), told: new Set(), locals: new Set(), around, isSealed }
}

/** Names of exported variables that a rule may look at. */
const telling = /^(?:GIT_\w+|[A-Z]+_ENV|HUSKY\w*|LEFTHOOK|SKIP)$/
const toldMax = 64

/** Hands a variable on to the programs that are run. */
export function exportName({ exported, told }: Scope, name: string): void {
  exported.add(name)
  if (told.size < toldMax && telling.test(name)) told.add(name)
}

/** What a variable was set to; undefined where nothing set it. */
export function valuesIn(scope: Scope, name: string): Values | undefined {
  let isThroughSeal = false
  let isExported = environment.has(name)
  for (let at: Scope | undefined = scope; at !== undefined; at = at.around) {
    if (at.exported.has(name)) isExported = true
    const values = at.own.get(name)
    if (values !== undefined) return isThroughSeal && !isExported && !isAround(at, name) ? [...values, hole] : values
    if (at.isSealed) isThroughSeal = true
  }
  return undefined
}

function isAround(scope: Scope, name: string): boolean {
  for (let at = scope.around; at !== undefined; at = at.around) if (at.exported.has(name)) return true
  return false
}

/** Sets a variable for good; too many choices are none that is known. */
export function assign({ own }: Scope, name: string, values: Values): void {
  const distinct = [...new Set(values)]
  own.set(name, distinct.length === 0 ? [''] : distinct.length > limits.choices ? [hole] : distinct)
}

/** Sets a variable where that may not have happened: what it held before stays possible. */
export function mayAssign(scope: Scope, name: string, values: Values, before: Values): void {
  assign(scope, name, [...(valuesIn(scope, name) ?? before), ...values])
}

/**
 * Takes over what was set in branches, one of which was taken. `isExhaustive`: there is no other way.
 * `ownOf` is what a variable holds that nobody set.
 */
export function join(scope: Scope, branches: readonly Scope[], isExhaustive: boolean, ownOf: (name: string) => Values) {
  const names = new Set(branches.flatMap(({ own }) => [...own.keys()]))
  for (const name of names) {
    const before = valuesIn(scope, name) ?? ownOf(name)
    const values = branches.flatMap(({ own }) => own.get(name) ?? before)
    assign(scope, name, isExhaustive ? values : [...before, ...values])
  }
  for (const { exported, locals } of branches) {
    for (const name of exported) exportName(scope, name)
    for (const name of locals) scope.locals.add(name)
  }
}

/** What a function leaves behind in its caller's shell. */
export function leaveFunction(scope: Scope, within: Scope): void {
  for (const [name, values] of within.own) if (!within.locals.has(name)) scope.own.set(name, values)
  for (const name of within.exported) if (!within.locals.has(name)) exportName(scope, name)
}

/** What programs get of exported variables that a rule may look at. */
export function toldIn(scope: Scope): readonly { readonly name: string; readonly value: string }[] {
  const names = new Set<string>()
  for (let at: Scope | undefined = scope; at !== undefined; at = at.around)
    for (const name of at.told) if (names.size < toldMax) names.add(name)
  return [...names].flatMap((name) => (valuesIn(scope, name) ?? []).map((value) => ({ name, value })))
}
