// Which programs the guard has something to say about. The filter looks for these names before anything is parsed; the
// judges of rules/judges.ts are typed by the words in front of them.

/** The programs of each judge. One that stands in several lines is judged by each, in this order. */
export const programs = {
  removal: 'rm rimraf trash del-cli unlink',
  move: 'mv',
  sync: 'rsync',
  copy: 'cp tee',
  emptying: 'truncate cp',
  permissions: 'chmod chown chgrp',
  device:
    'shred dd mkfs mke2fs mkswap wipefs blkdiscard sgdisk diskutil cryptsetup parted sfdisk fdisk nvme lvremove vgremove pvremove zpool zfs',
  git: 'git',
  sql: 'psql mysql mariadb sqlite3 duckdb cqlsh sqlcmd clickhouse-client cockroach snowsql bq',
  mongo: 'mongosh mongo',
  redis: 'redis-cli valkey-cli',
  dropping: 'dropdb mysqladmin',
  framework:
    'rails rake prisma artisan manage.py django-admin sequelize sequelize-cli typeorm knex mix supabase alembic drizzle-kit flyway liquibase',
  provision: 'terraform tofu terragrunt pulumi cdk serverless sls eksctl',
  cluster: 'kubectl oc helm',
  cloud: 'aws gcloud gsutil az doctl heroku fly flyctl netlify firebase wrangler',
  containers: 'docker podman docker-compose',
  published: 'gh npm pnpm yarn cargo gem',
  uninstalling: 'npm pnpm yarn',
  trust: 'loop',
  loop: 'loop',
  tissue: 'tissue',
  kill: 'kill pkill killall',
  power: 'shutdown reboot halt poweroff init systemctl',
} as const

export type JudgeName = keyof typeof programs

const containerWords = 'prune rm remove down exec run'
const packageWords = 'unpublish uninstall remove rm exec'

/** Programs that run all day long, and the words without one of which they do not matter. */
export const judgedWith: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    docker: containerWords,
    podman: containerWords,
    'docker-compose': 'down rm exec run',
    npm: `${packageWords} x`,
    pnpm: `${packageWords} x dlx`,
    yarn: `${packageWords} dlx`,
    cargo: 'yank',
    gem: 'yank',
    loop: 'trust uninstall cancel land review worktree',
    tissue: 'close',
  }).map(([name, words]) => [name, words.split(' ')]),
)

/** Programs that are judged whatever their arguments. */
export const judgedAlways: readonly string[] = Object.values(programs)
  .flatMap((names) => names.split(' '))
  .filter((name) => !judgedWith.has(name))

/** Words by which a text runs another text. */
export const runners: readonly string[] =
  `sh bash zsh dash ksh ash mksh rbash fish eval source trap alias find gfind fd fdfind xargs parallel watch entr ssh su
  runuser script tmux screen env busybox toybox python perl node pypy tsx ts-node lua ruby php deno bun flock awk gawk
  mawk at batch npx cmd powershell pwsh rd rmdir del erase`.split(/\s+/)
