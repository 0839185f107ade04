import { counted } from '@switchyard/cli-kit/counted'
import { inRow } from '@switchyard/cli-kit/in-row'
import { bytesInWords, inShort } from './render-tree.ts'
import type { Scout } from './scout-schema.ts'

const rowsMax = 5

/** One screen: what is here, where it is large and where it changes, what reading it takes, what to type next. */
export function renderScout(scout: Scout): string {
  const { path, files, lines, bytes, tokens } = scout
  const head = `${path}: ${counted(files, 'file')}, ${counted(lines, 'line')}, ${bytesInWords(bytes)}, about ${inShort(tokens)} tokens`
  return [
    head,
    row('languages', scout.languages),
    row('kinds', scout.kinds),
    ...(Object.keys(scout.left_out).length > 0 ? [`  left out: ${leftOut(scout.left_out)}`] : []),
    ...block(
      'folders by tokens',
      scout.folders,
      (one) => `${inRow(one.name)}  ${counted(one.files, 'file')}, ${inShort(one.tokens)} tokens`,
    ),
    ...block('largest files', scout.largest, (one) => `${inRow(one.path)}  ${inShort(one.tokens)} tokens`),
    ...block('changed most often', scout.changed, (one) => `${inRow(one.path)}  ${counted(one.commits, 'commit')}`),
    ...block(
      'hot spots: long and often changed',
      scout.hot_spots,
      (one) => `${inRow(one.path)}  ${counted(one.commits, 'commit')}, ${inShort(one.tokens)} tokens`,
    ),
    costOf(scout),
    nextOf(scout),
  ].join('\n')
}

function row(title: string, sums: Scout['languages']): string {
  const shown = sums.slice(0, rowsMax).map(({ name, files, tokens }) => `${files} ${name} (${inShort(tokens)})`)
  const rest = sums.length - shown.length
  return `  ${title}: ${[...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}`
}

function leftOut(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .map(([why, number]) => `${number} ${why}`)
    .join(', ')
}

function block<T>(title: string, all: readonly T[], line: (one: T) => string): readonly string[] {
  return all.length === 0 ? [] : [title, ...all.slice(0, rowsMax).map((one) => `  ${line(one)}`)]
}

function costOf({ chunks, input_tokens, prices }: Scout): string {
  const dollars = prices.map(({ model, usd }) => `$${usd.toFixed(2)} with ${model}`).join(', ')
  const says = dollars === '' ? '; --prices FILE says it in dollars' : `: ${dollars}`
  return `about ${counted(chunks, 'chunk')}; an agent that is asked about each reads about ${inShort(input_tokens)} tokens${says}`
}

const next: Readonly<Record<Scout['strategy'], string>> = {
  whole: 'an agent can read all of it: deepscan init, then deepscan map --with claude',
  map: 'ask about each chunk, the likely ones first: deepscan init, then deepscan map --with claude --hints',
  narrow:
    'too much to read at once: deepscan init, then deepscan map --with claude --hints --sample 20, or init a part',
}

function nextOf({ strategy, path }: Scout): string {
  return `next: ${path === '.' ? next[strategy] : next[strategy].replace('deepscan init,', `deepscan init ${path},`)}`
}
