// What the files of a project say about how it is tested and set up: a proposal for `loop.json`, which a person reads.

import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'

/** The top of a project; `read` gives undefined for what is not there. */
export type Project = { has(name: string): boolean; read(name: string): string | undefined }

/** Lines of shell; none where nothing is known. */
export type Detected = { verify: string[]; setup: string[] }

/** By the marks of npm, pnpm, yarn, bun, cargo, go, pytest, mix, rspec, maven and gradle; else by a makefile. */
export function detect(project: Project): Detected {
  const tests = [node, cargo, go, python, elixir, ruby, jvm].flatMap((look) => look(project) ?? [])
  const verify = tests.length > 0 ? tests : (make(project) ?? [])
  return {
    verify: [verify].flat(),
    setup: [nodeSetup, pythonSetup, elixirSetup, rubySetup].flatMap((look) => look(project) ?? []),
  }
}

type Look = (project: Project) => string | undefined

const node: Look = (project) => {
  const test = scriptsOf(project)['test']
  if (typeof test !== 'string' || test.includes('no test specified')) return undefined
  const by = packageManager(project)
  return by === 'bun' ? 'bun run test' : `${by} test`
}

const nodeSetup: Look = (project) => {
  const packages = packageOf(project)
  const needs = ['dependencies', 'devDependencies', 'optionalDependencies', 'workspaces']
  if (packages === undefined || needs.every((name) => packages[name] === undefined)) return undefined
  const isBerry = project.has('.yarnrc.yml')
  const installs = {
    npm: project.has('package-lock.json') ? 'npm ci' : 'npm install',
    pnpm: 'pnpm install --frozen-lockfile',
    yarn: isBerry ? 'yarn install --immutable' : 'yarn install --frozen-lockfile',
    bun: 'bun install --frozen-lockfile',
  }
  return installs[packageManager(project)]
}

function packageManager({ has }: Project): 'npm' | 'pnpm' | 'yarn' | 'bun' {
  if (has('pnpm-lock.yaml')) return 'pnpm'
  if (has('yarn.lock')) return 'yarn'
  return has('bun.lock') || has('bun.lockb') ? 'bun' : 'npm'
}

function scriptsOf(project: Project): Record<string, unknown> {
  const scripts = packageOf(project)?.['scripts']
  return isPlainObject(scripts) ? scripts : {}
}

function packageOf({ read }: Project): Record<string, unknown> | undefined {
  const parsed = parseJson(read('package.json') ?? 'null')
  return isPlainObject(parsed) ? parsed : undefined
}

const cargo: Look = ({ has }) => (has('Cargo.toml') ? 'cargo test' : undefined)

const go: Look = ({ has }) => (has('go.mod') ? 'go test ./...' : undefined)

const python: Look = ({ has, read }) => {
  const isTested =
    has('pytest.ini') ||
    has('conftest.py') ||
    has('tests/conftest.py') ||
    /^\[tool\.pytest\b/m.test(read('pyproject.toml') ?? '') ||
    /^\[tool:pytest\]/m.test(read('setup.cfg') ?? '')
  if (!isTested) return undefined
  if (has('uv.lock')) return 'uv run pytest'
  return has('poetry.lock') ? 'poetry run pytest' : 'python3 -m pytest'
}

const pythonSetup: Look = ({ has }) => {
  if (has('uv.lock')) return 'uv sync'
  return has('poetry.lock') ? 'poetry install' : undefined
}

const elixir: Look = ({ has }) => (has('mix.exs') ? 'mix test' : undefined)

const elixirSetup: Look = ({ has }) => (has('mix.lock') ? 'mix deps.get' : undefined)

const ruby: Look = ({ has }) => (has('Gemfile') && has('spec') ? 'bundle exec rspec' : undefined)

const rubySetup: Look = ({ has }) => (has('Gemfile.lock') ? 'bundle install' : undefined)

const jvm: Look = ({ has }) => {
  if (has('pom.xml')) return has('mvnw') ? './mvnw --quiet test' : 'mvn --quiet test'
  if (!has('build.gradle') && !has('build.gradle.kts')) return undefined
  return has('gradlew') ? './gradlew test' : 'gradle test'
}

const make: Look = ({ read }) => {
  const text = read('GNUmakefile') ?? read('makefile') ?? read('Makefile') ?? ''
  const target = /^(test|check)\s*:(?!=)/m.exec(text)?.[1]
  return target === undefined ? undefined : `make ${target}`
}
