// Which judge speaks of which program.
import { type JudgeName, programs } from '../shell/programs.ts'
import { judgeContainers } from './containers.ts'
import { judgeDropDatabase, judgeFramework, judgeMongo, judgeRedis, judgeSql } from './database.ts'
import { judgeCopy, judgeDevice } from './device.ts'
import { judgeLoop, judgeTissue, judgeUninstall } from './disarm.ts'
import { judgeGit } from './git.ts'
import type { Judge } from './judge.ts'
import { judgeLosses } from './losses.ts'
import { judgeKill, judgePower } from './process.ts'
import { judgePublished } from './published.ts'
import { judgeEmptied, judgeMove, judgePermissions, judgeRemove, judgeRsync } from './remove.ts'
import { judgeTrust } from './trust.ts'

const judges: Readonly<Record<JudgeName, Judge>> = {
  removal: judgeRemove,
  move: judgeMove,
  sync: judgeRsync,
  copy: judgeCopy,
  emptying: judgeEmptied,
  permissions: judgePermissions,
  device: judgeDevice,
  git: judgeGit,
  sql: judgeSql,
  mongo: judgeMongo,
  redis: judgeRedis,
  dropping: judgeDropDatabase,
  framework: judgeFramework,
  provision: judgeLosses,
  cluster: judgeLosses,
  cloud: judgeLosses,
  containers: judgeContainers,
  published: judgePublished,
  uninstalling: judgeUninstall,
  trust: judgeTrust,
  loop: judgeLoop,
  tissue: judgeTissue,
  kill: judgeKill,
  power: judgePower,
}

const judgeNamed = new Map(Object.entries(judges))
const byProgram = new Map<string, Judge[]>()
for (const [name, list] of Object.entries(programs)) {
  const judge = judgeNamed.get(name)
  for (const program of list.split(' ')) if (judge) byProgram.set(program, [...(byProgram.get(program) ?? []), judge])
}

/** The judges of a program, by its name: `mkfs.ext4` is a mkfs. */
export const judgesOf = (name: string): readonly Judge[] =>
  byProgram.get(name) ?? byProgram.get(name.replace(/\..*$/, '')) ?? []
