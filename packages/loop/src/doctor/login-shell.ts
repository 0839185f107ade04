import { execute } from '@switchyard/exec'
import { type Finding, ok, warn } from '@switchyard/topic/examine/finding'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

const shellMsMax = 20_000

/** Whether Codex finds `loop`: it runs commands in a login shell, whose profile may set another PATH than ours. */
export async function examineLoginShell({ cwd, env }: Where): Promise<Finding> {
  const shell = env['SHELL'] ?? '/bin/sh'
  const ran = await execute([shell, '-lc', 'command -v loop'], {
    cwd,
    env,
    timeoutMs: shellMsMax,
    outputBytesMax: 4096,
  })
  const path = ran.stdout.trim().split('\n').at(-1) ?? ''
  if (ran.exitCode === 0 && path !== '') return ok('codex', `its login shell finds ${path}`)
  const advice = 'put the folder of loop on PATH in ~/.profile, or in what your shell reads at login'
  return warn('codex', `runs commands in a login shell (${shell} -lc), which finds no loop`, advice)
}
