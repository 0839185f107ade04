import type { Context, Output } from '@switchyard/cli-kit'

/** What calling another verb of deepscan needs of the world. */
export type Performing = Pick<Context, 'perform' | 'input' | 'output' | 'interrupted'>

/** Runs another verb for its effect: what it would print is left out, its remarks are passed on. */
export function performQuietly(
  { perform, input, output, interrupted }: Performing,
  argv: readonly string[],
): Promise<number> {
  const nothing = () => undefined
  const silent: Output = {
    ...{ mode: 'text', isTerminal: false, color: false, note: output.note },
    ...{ one: nothing, list: nothing, each: nothing, raw: nothing },
  }
  return perform(argv, { input, output: silent, interrupted })
}
