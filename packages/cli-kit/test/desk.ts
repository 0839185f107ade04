import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, script, tempFolder } from '@switchyard/testkit'

const source = fileURLToPath(new URL('./fixtures/desk/src', import.meta.url))
const bundler = fileURLToPath(new URL('../../build/bundle.mjs', import.meta.url))

export type Finished = { code: number | null; stdout: string; stderr: string }

/** The fixture tool, built as every tool is: `folder` holds `dist/` and, in `bin/`, the command `desk`. */
export class Desk {
  readonly folder = tempFolder('desk')
  readonly path = join(this.folder, 'bin', 'desk')

  constructor(ceilings: Record<string, number> = {}, packed?: readonly string[]) {
    symlinkSync(source, join(this.folder, 'src'))
    const manifest = { name: 'desk', version: '1.2.3', switchyard: { hot: ceilings, packed } }
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify(manifest))
    script(this.path, "#!/usr/bin/env node\nrequire('../dist/cli.cjs')\n")
    mkdirSync(join(this.folder, 'work'))
    const built = spawnSync(process.execPath, [bundler], { cwd: this.folder, env: cleanEnv(), encoding: 'utf8' })
    if (built.status !== 0) throw new Error(`desk does not build: ${built.stderr}`)
  }

  /** Where commands run; empty at first. */
  get cwd(): string {
    return join(this.folder, 'work')
  }

  env(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
    const env = cleanEnv(extra)
    return { ...env, PATH: [join(this.folder, 'bin'), env.PATH ?? ''].join(delimiter) }
  }

  run(args: readonly string[], options: { input?: string | Uint8Array; env?: Record<string, string> } = {}): Finished {
    return this.#finish(process.execPath, [this.path, ...args], options)
  }

  /**
   * Runs a line of bash in which `desk` is a command; its last status is the code, or with pipefail the first that
   * fails.
   */
  bash(line: string, options: { env?: Record<string, string> } = {}): Finished {
    return this.#finish('bash', ['-c', line], options)
  }

  #finish(
    program: string,
    args: readonly string[],
    { input = '', env = {} }: { input?: string | Uint8Array; env?: Record<string, string> },
  ): Finished {
    // As bytes, because a text would be written in the encoding in which the output is read.
    const bytes = Buffer.from(input)
    const options = { cwd: this.cwd, env: this.env(env), input: bytes, encoding: 'latin1', maxBuffer: 2 ** 28 } as const
    const { status, stdout, stderr, error } = spawnSync(program, args, options)
    if (error) throw error
    return { code: status, stdout: utf8(stdout), stderr: utf8(stderr) }
  }
}

/** Bytes as a text where they are one; bytes that are not stay visible as U+FFFD. */
function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
