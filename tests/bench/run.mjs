// `npm run bench [-- start-up|hooks|posts|follow|reads|tissue|sessions|dashboard|grep ... [--rounds N]]`: all benches, or those that are named. Each stands beside something plain that a user knows.
import { parseArgs } from 'node:util'
import { benchDashboard } from './dashboard.mjs'
import { benchFollow } from './follow.mjs'
import { benchGrep } from './grep.mjs'
import { benchHooks } from './hooks.mjs'
import { benchPosts } from './posts.mjs'
import { benchReads } from './reads.mjs'
import { benchSessions } from './sessions.mjs'
import { benchStartUp } from './start-up.mjs'
import { benchTissue } from './tissue.mjs'

const benches = {
  'start-up': benchStartUp,
  hooks: benchHooks,
  posts: benchPosts,
  follow: benchFollow,
  reads: benchReads,
  tissue: benchTissue,
  sessions: benchSessions,
  dashboard: benchDashboard,
  grep: benchGrep,
}
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '25' } },
})

console.log(`Node ${process.version}\n`)
for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) {
  if (!Object.hasOwn(benches, name)) throw new Error(`expected one of ${Object.keys(benches).join(', ')}, got ${name}`)
  await benches[name](Number(values.rounds))
}
