import { redactorOf } from '@switchyard/cli-kit/secrets'
import { said } from '@switchyard/guard/finding'
import type { Verdict } from '@switchyard/guard/verdict'

/** The reason of a verdict as the agent reads it. A file of its own: most calls are let go without one. */
export const reasonText = (verdict: Verdict, env: Readonly<Record<string, string | undefined>>) =>
  redactorOf(env)(said(verdict))
