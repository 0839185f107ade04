import type { Context } from './context.ts'

/**
 * A flag as the verb table declares it. `value` is the placeholder shown in help, and of a string says more: `-` for a
 * TEXT or JSON is all of stdin; `complete` says what its value is, a
 * key of the tool's `candidates`. `bare` names the boolean flag that its letter is where no value stands behind it.
 * `forPrograms`: no person types it, so the page of the verb does not list it, nor does completion; the guide tells of
 * it.
 */
export type FlagSpec = { forPrograms?: true } & (
  | { type: 'boolean'; summary: string; short?: string }
  | {
      type: 'string'
      summary: string
      value: string
      short?: string
      default?: string
      complete?: string
      bare?: string
    }
  | { type: 'list'; summary: string; value: string; short?: string; complete?: string }
  | { type: 'integer'; summary: string; value: string; min: number; max: number; short?: string; default?: number }
  | { type: 'duration'; summary: string; short?: string; default?: string }
  | { type: 'choice'; summary: string; choices: readonly string[]; short?: string; default?: string }
)

/** A positional argument. `rest` takes all that remain and stands last; `complete` is as with flags. */
export type ArgSpec = { name: string; summary: string; optional?: true; rest?: true; complete?: string }

export type VerbSpec = {
  /** One line, imperative: "Post a message to a topic". */
  summary: string
  args?: readonly ArgSpec[]
  flags?: Readonly<Record<string, FlagSpec>>
  /** Whole command lines that work as they stand; the first is shown by `help`. A test runs them. */
  examples: readonly string[]
}

type FlagValue<F extends FlagSpec> = F extends { type: 'boolean' }
  ? boolean
  : F extends { type: 'list' }
    ? readonly string[]
    : F extends { type: 'integer' | 'duration' }
      ? F extends { default: number | string }
        ? number
        : number | undefined
      : F extends { type: 'choice'; choices: readonly (infer C)[] }
        ? F extends { default: string }
          ? C
          : C | undefined
        : F extends { default: string }
          ? string
          : string | undefined

type ArgValue<A extends ArgSpec> = A extends { rest: true }
  ? readonly string[]
  : A extends { optional: true }
    ? string | undefined
    : string

export type FlagsOf<S extends VerbSpec> =
  S['flags'] extends Readonly<Record<string, FlagSpec>>
    ? { readonly [K in keyof S['flags']]: FlagValue<S['flags'][K]> }
    : Record<never, never>

export type ArgsOf<S extends VerbSpec> = S['args'] extends readonly ArgSpec[]
  ? { readonly [A in S['args'][number] as A['name']]: ArgValue<A> }
  : Record<never, never>

/**
 * What `run` gets: parsed arguments and flags beside the world (disk folder, clock, streams). Durations are
 * milliseconds.
 */
export type Call<S extends VerbSpec> = Context & { readonly args: ArgsOf<S>; readonly flags: FlagsOf<S> }

type RunResult = undefined | number | Promise<undefined | number>

/**
 * A verb: its declaration and what it does. `run` returns nothing for exit 0, the code of a true negative, or that of
 * the program which it stands for.
 */
export type Verb<S extends VerbSpec = VerbSpec> = S & {
  run(call: Call<S>): RunResult
}

type SpecOf<A, F> = { summary: string; args: A; flags: F; examples: readonly string[] }

/** The identity function; it is there so that the types of `args` and `flags` follow from the declaration. */
export function defineVerb<
  const A extends readonly ArgSpec[] = readonly [],
  const F extends Readonly<Record<string, FlagSpec>> = Record<never, never>,
>(verb: Omit<VerbSpec, 'args' | 'flags'> & { args?: A; flags?: F; run(call: Call<SpecOf<A, F>>): RunResult }): Verb {
  return verb
}
