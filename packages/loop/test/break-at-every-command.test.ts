// The worktree of an issue is broken just before each git command of a landing, a clean-up and a recovery, when loop has
// proved it already: what is the person's stays as it is, byte for byte.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, full, git, run, scaled, script, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { leftovers, type Place, placeAt, read, write } from './place.ts'

/** What is done to the worktree "$w", whose folder in git is "$admin"; "$other" is another worktree's there. */
const breaks = {
  'no .git': 'rm -f "$w/.git"',
  '.git of the main repository': 'echo "gitdir: $root/.git" >"$w/.git"',
  '.git of another worktree': 'echo "gitdir: $other" >"$w/.git"',
  'another commondir': 'echo "$elsewhere/.git" >"$admin/commondir"',
  'another gitdir': 'echo "$root/.git" >"$admin/gitdir"',
  'another work tree in its config':
    'git -C "$root" config extensions.worktreeConfig true; git config --file "$admin/config.worktree" core.worktree "$root"',
  'a repository of its own': 'rm -rf "$w/.git"; git init -q "$w"',
  'no folder': 'rm -rf "$w"',
  'a link to the main tree': 'rm -rf "$w"; ln -s "$root" "$w"',
} as const
type Break = keyof typeof breaks

type Scene = {
  /** The branch that the main tree is on; `main` is what is landed on. */
  branch: 'main' | 'work'
  verify: string
  /** Killed in its runner first; what is broken is then what `loop doctor --fix` does. */
  isKilled: boolean
}

const scenes: Record<string, Scene> = {
  'a landing where the base is checked out': { branch: 'main', verify: 'true', isKilled: false },
  'a landing that is rebased': { branch: 'work', verify: 'true', isKilled: false },
  'the clean-up of an issue that is given up': { branch: 'main', verify: 'false', isKilled: false },
  'the recovery of a run that was killed': { branch: 'main', verify: 'true', isKilled: true },
}

const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8', env: cleanEnv() }).trim()

type Staged = Place & {
  folder: string
  id: string
  arm(nth: number, harm: string): void
  act(): ReturnType<Place['loop']>
}

/** A main tree with all kinds of changes, another worktree of the person, and a `git` on PATH that counts, and breaks. */
function stage({ branch, verify, isKilled }: Scene): Staged {
  const root = tempRepo({ tracked: 'one\n', staged: 'one\n', '.gitignore': '.tissue/\n' })
  const folder = tempFolder('break')
  write(root, 'tracked', 'stashed\n')
  git(root, 'stash', '-q')
  git(root, 'branch', 'feature')
  git(root, 'worktree', 'add', '-q', join(folder, 'other'), 'feature')
  if (branch === 'work') git(root, 'switch', '-q', '-c', 'work')
  write(root, 'staged', 'staged\n')
  git(root, 'add', 'staged')
  write(root, 'tracked', 'MY UNCOMMITTED WORK\n')
  write(root, 'untracked', 'mine\n')
  const wrapper = `#!/bin/sh
n=$(($(cat ${folder}/count 2>/dev/null || echo 0) + 1)); echo $n >${folder}/count; echo "$*" >>${folder}/calls
if [ -e ${folder}/armed ] && [ "$n" = "$(cat ${folder}/armed)" ]; then sh ${folder}/harm >&2; fi
exec ${realGit} "$@"
`
  script(join(folder, 'git'), wrapper)
  const at = placeAt(root, { PATH: `${folder}:${toolPath()}` })
  const id = at.issue('x')
  const move = `c=$(${realGit} -C ${root} commit-tree -p main -m theirs main^{tree}); ${realGit} -C ${root} update-ref refs/heads/main $c`
  const work = `echo good >x.txt; ${branch === 'work' ? move : 'true'}`
  const kill = `kill -9 $(sed -n 's/.*"pid":\\([0-9]*\\).*/\\1/p' ${root}/.git/loop/$LOOP_RUN_ID/owner.json); sleep 60`
  const args = ['run', '--issues', '--base', 'main', '--max-iterations', '1', '--verify', verify] as const
  const runner = at.agent('w', isKilled ? `${work}; ${kill}` : work)
  if (isKilled) run('loop', [...args, '--with', runner], { cwd: root })
  return {
    ...at,
    ...{ folder, id },
    arm(nth, harm) {
      writeFileSync(join(folder, 'armed'), String(nth))
      const where = `root=${root}; elsewhere=${folder}/other; other=${root}/.git/worktrees/other
for w in ${root}/.worktrees/loop/*; do [ -d "$w" ] || exit 0; done
admin=${root}/.git/worktrees/$(basename "$w"); touch ${folder}/harmed`
      const own = `unset $(${realGit} rev-parse --local-env-vars)\nPATH=$(dirname ${realGit}):$PATH`
      writeFileSync(join(folder, 'harm'), `${own}\n${where}\n${harm}\n`)
    },
    act: () => (isKilled ? at.doctor('--fix') : at.loop(...args, '--with', runner)),
  }
}

/** The bytes of the index where nothing landed into it; else what it says of all but the file that landed. */
function personal({ root, folder }: Staged, hasLanded: boolean) {
  const bytes = readFileSync(join(root, '.git', 'index')).toString('base64')
  const inIndex = git(root, 'ls-files', '--stage').split('\n')
  const refs = git(root, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n')
  return {
    index: hasLanded ? inIndex.filter((line) => !line.endsWith('\tx.txt')) : bytes,
    head: read(root, '.git/HEAD'),
    other: [read(root, '.git/worktrees/other/HEAD'), git(join(folder, 'other'), 'status', '--porcelain')],
    stash: read(root, '.git/logs/refs/stash'),
    files: ['tracked', 'staged', 'untracked', '.gitignore'].map((name) => read(root, name)),
    names: readdirSync(root).filter((name) => name !== 'x.txt' && name !== '.jwz' && name !== '.worktrees'),
    refs: refs.filter((ref) => !/^refs\/(loop\/|heads\/loop\/|heads\/main )/.test(ref)),
  }
}

/** What is landed: nothing, or the change that was verified. */
function landed({ root, id }: Staged): boolean {
  const [subject, issue] = git(root, 'log', '-1', '--format=%s%n%(trailers:key=Issue,valueonly)', 'main').split('\n')
  if (subject === 'Start' || subject === 'theirs') return false
  expect([subject, issue, git(root, 'show', 'main:x.txt')]).toEqual(['x', id, 'good'])
  return true
}

function check(scene: Scene, nth: number, harm: Break): boolean {
  const staged = stage(scene)
  const before = [personal(staged, false), personal(staged, true)]
  staged.arm(nth, breaks[harm])
  const acted = staged.act()
  const hasLanded = landed(staged)
  expect(personal(staged, hasLanded)).toEqual(before[hasLanded ? 1 : 0])
  expect(acted.code, acted.stderr).not.toBe(70)
  const next = staged.doctor('--fix')
  expect(next.code, next.stderr + next.stdout).toBe(0)
  if (scene.verify === 'false') expect(hasLanded).toBe(false)
  expect(leftovers(staged.root)).toEqual([])
  expect(personal(staged, landed(staged))).toEqual(before[landed(staged) ? 1 : 0])
  return existsSync(join(staged.folder, 'harmed'))
}

describe('a worktree that is broken just before a git command', () => {
  const seed = Number(process.env['SWITCHYARD_SEED'] ?? Date.now() % 1_000_000)
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % below
  }

  it.each(Object.entries(scenes))(
    `leaves all that is the person's as it is: %s (seed ${seed})`,
    (_, scene) => {
      const plain = stage(scene)
      writeFileSync(join(plain.folder, 'count'), '0')
      writeFileSync(join(plain.folder, 'calls'), '')
      plain.act()
      const calls = read(plain.folder, 'calls').trimEnd().split('\n')
      const first = scene.isKilled ? 0 : calls.findIndex((call) => call.includes(' worktree add '))
      const all = calls.flatMap((_call, index) =>
        index < first ? [] : (Object.keys(breaks) as Break[]).map((harm) => ({ nth: index + 1, harm })),
      )
      expect(all.length).toBeGreaterThan(50)
      const chosen = full
        ? all
        : Array.from({ length: scaled(40, 10) }, () => all[random(all.length)] ?? { nth: 1, harm: 'no .git' as const })
      let harmed = 0
      const failed: string[] = []
      for (const { nth, harm } of chosen) {
        try {
          if (check(scene, nth, harm)) harmed += 1
        } catch (error) {
          failed.push(
            `${harm} before ${nth} ${calls[nth - 1]?.replace(/-c \S+ /g, '')}: ${String(error).slice(0, 1500)}`,
          )
        }
      }
      if (full)
        writeFileSync(join(plain.folder, '..', `loop-broken-${seed}`), `${chosen.length} ${harmed}\n`, { flag: 'a' })
      expect(failed.join('\n\n')).toBe('')
      expect(harmed).toBeGreaterThan(0)
    },
    full ? 4 * 3_600_000 : 240_000,
  )
})
