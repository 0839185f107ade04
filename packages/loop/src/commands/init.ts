import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { readIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { configName, readConfigText } from '../config/config-text.ts'
import { type Detected, detect, type Project } from '../config/detect.ts'
import type { Initiated } from '../config/init-schema.ts'
import { makeLoopFolder, renderConfig, writeConfig } from '../config/make-config.ts'
import { parseConfig, readConfig } from '../config/read-config.ts'
import { keepTrust } from '../config/trusted.ts'
import { waitingLine } from '../config/waiting-words.ts'
import { openPlainChildren } from '../programs/children.ts'
import { type Git, openGit } from '../programs/git.ts'
import type { TreePlace } from '../programs/git-place.ts'
import { whyAgents } from '../trust/agent-here.ts'
import { findRepository } from '../worktree/repository.ts'
import { personsTree } from '../worktree/tree-place.ts'

/**
 * `loop init`: writes loop.json with what the project's files say, or checks the one that is there. Exits 2 when that
 * one is not valid, 5 when `--verify` is asked of it.
 */
export const init = defineVerb({
  summary: 'Write loop.json with what the project says, or check the one that is there',
  flags: {
    verify: { type: 'list', value: 'CMD', summary: 'A line of shell that must pass, instead of what is found' },
    print: { type: 'boolean', summary: 'Print what it would write, and write nothing' },
  },
  examples: ['loop init --print', "loop init --verify 'npm test'"],
  async run({ cwd, env, flags, now, output }) {
    const git = openGit(openPlainChildren(env))
    const repository = await findRepository(git, cwd)
    const { root, mainTree, commonDir } = repository
    const found = detect(projectAt(mainTree))
    const proposal: Detected = flags.verify.length === 0 ? found : { ...found, verify: [...flags.verify] }
    const text = renderConfig(proposal, await ignoredOf(git, personsTree(repository, mainTree)))
    if (flags.print) {
      parseConfig(text, configName)
      output.raw(text)
      return
    }
    const path = join(root, configName)
    const isThere = existsSync(path)
    if (isThere && flags.verify.length > 0) {
      readConfig(root)
      throw new Failure('conflict', `${path} is there already, and stays as it is`, {
        hint: 'edit it',
        retryable: false,
      })
    }
    if (!isThere) {
      parseConfig(text, configName)
      writeConfig(root, text, `.${configName}.${ulid(now())}`)
      if (whyAgents({ env, cwd, now }) === undefined) keepTrust(root, text, { env, now: now() })
    }
    const config = parseConfig(readConfigText(root) ?? '{}', path)
    makeLoopFolder(commonDir)
    const { waits } = readConfig(root, env)
    if (waits.length > 0) output.note(waitingLine(waits))
    for (const line of [config.verify ?? []].flat()) output.note(`verify: ${line}`)
    if (config.verify === undefined) output.note('no verify command: set verify in it')
    output.one({ path, made: !isThere, config }, shownInitiated)
  },
})

const shownInitiated: Shown<Initiated> = {
  text: ({ path, made }) => (made ? path : `${path}  was there`),
  id: ({ path }) => path,
}

function projectAt(top: string): Project {
  return {
    has: (name) => existsSync(join(top, name)),
    read: (name) => readIfThere(join(top, name)),
  }
}

const usualNames = ['.env', '.env.local', '.env.test', '.envrc']

/** The usual files with settings of one's own that are there and that git ignores. */
async function ignoredOf(git: Git, tree: TreePlace): Promise<string[]> {
  const there = usualNames.filter((name) => existsSync(join(tree.workTree, name)))
  if (there.length === 0) return []
  const asked = await git.try(tree, ['check-ignore', '--', ...there])
  return asked.stdout.split('\n').filter((name) => name !== '')
}
