import { Failure } from '@switchyard/ground/failure'
import { fnv1a } from '@switchyard/ground/fnv1a'
import { agentSession } from './agent-session.ts'
import { type Env, readSavedName, sessionKey } from './saved-identity.ts'
import type { Store } from './store.ts'

/** Characters a sender's name may have. */
const nameLengthMax = 80

/** The name as it is; fails as bad input when it is empty, over-long or has control characters. */
export function requireName(name: string): string {
  if (name.trim() !== '' && name.length <= nameLengthMax && !/\p{Cc}/u.test(name)) return name
  throw new Failure(
    'usage',
    `a name has 1 to ${nameLengthMax} characters and no control characters; got ${JSON.stringify(name)}`,
  )
}

/** A name of three words that is always the same for the same `key`. */
export function threeWordName(key: string): string {
  const value = fnv1a(key)
  const word = (words: readonly string[], shift: number) => words[(value >>> shift) % words.length] ?? ''
  return `${word(adjectives, 0)}-${word(colours, 8)}-${word(animals, 16)}`
}

/**
 * A name, and what says it: the flag `--as`, the variable JWZ_AGENT, what was saved, or nothing but the session, which is
 * an agent's or that of the terminal.
 */
export type Identity = { name: string; source: '--as' | 'JWZ_AGENT' | 'saved' | 'agent' | 'session' }

type Speaker = { as?: string | undefined; env: Env; store?: Store | undefined }

/** Like `identify`, and what says so. */
export function whoAmI({ as, env, store }: Speaker): Identity {
  if (as !== undefined) return { name: requireName(as), source: '--as' }
  const agent = env['JWZ_AGENT']
  if (agent !== undefined) return { name: requireName(agent), source: 'JWZ_AGENT' }
  const session = sessionKey(env)
  const saved = store && readSavedName(store, session)
  return saved === undefined
    ? { name: threeWordName(session), source: agentSession(env) === undefined ? 'session' : 'agent' }
    : { name: requireName(saved), source: 'saved' }
}

/**
 * Who is speaking: `--as`, else JWZ_AGENT, else the name saved in the bus `store` for the agent's session or, outside
 * of one, for the terminal session or pane, else one of three words that belongs to it and is the same at each call.
 * Fails as bad input on an empty or over-long name and on control characters.
 */
export function identify(speaker: Speaker): string {
  return whoAmI(speaker).name
}

/** The words of sender names: three lists of 64, so that a name carries 18 bits. */
const adjectives =
  words(`able apt bold brave brief brisk busy calm clear clever crisp curious deft eager early easy even exact fair fast
fine firm fleet frank free fresh gentle glad good grand handy hardy honest humble keen kind light lively loyal
lucky merry mild modest neat nimble noble patient plain polite prompt proud pure quick quiet ready sharp smooth
sober solid steady sunny swift wise witty`)

const colours =
  words(`almond amber apricot ash azure beige birch brass bronze cedar chalk cherry cinder clay cobalt copper coral cream
crimson denim dune ebony fern flint ginger golden granite hazel honey indigo ivory jade lemon lilac lime linen
maple marble mint moss mustard navy ochre olive onyx opal peach pearl pine plum rose ruby russet rust saffron
sage sand scarlet silver slate teal tin umber walnut`)

const animals =
  words(`badger bat beaver bee bison boar buzzard carp cat cod crab crane cricket crow deer dingo dove duck eagle eel
egret elk falcon ferret finch fox frog gecko goat goose grouse gull hare hawk heron ibex jay kestrel lark lemur
lion lynx magpie marten mole moose moth newt otter owl panda pike puffin quail rabbit raven robin salmon seal
shrew stork swan toad wren`)

function words(text: string): readonly string[] {
  return text.split(/\s+/)
}
