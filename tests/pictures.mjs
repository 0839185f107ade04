// `npm run pictures`: the dashboard of `scope` beside made sessions, as a terminal of 100 × 26 shows it, drawn as SVG into docs/pictures.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeSession } from './bench/made-sessions.mjs'
import { benchPlace, tool } from './bench/place.mjs'

const pictures = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const [columns, rows] = [100, 26]
const [cellWidth, cellHeight] = [8.4, 18]
const triesMax = 500
const colours = new Map([
  ['31', '#c0392b'],
  ['32', '#2e8b57'],
  ['33', '#b8860b'],
  ['36', '#1f7a8c'],
])

const place = benchPlace()
const asked = { event: 'turn', turn: 'needs_input', reason: 'May I run npm test?' }
const children = (...ids) => ids.map((child) => ({ event: 'child', child }))
const minute = 60_000
for (const [id, given] of Object.entries({
  0: {
    task: 'Refactor auth to JWT',
    activity: 'waiting on children',
    agoMs: 12 * minute,
    more: children('0.0', '0.1'),
  },
  '0.0': { task: 'Extract JWT helpers', activity: 'editing token.ts', agoMs: 9 * minute },
  0.1: { task: 'Update middleware', agoMs: 8 * minute, more: [{ event: 'done' }] },
  1: {
    task: 'Write tests for the user module',
    activity: 'running: npm test',
    agoMs: 5 * minute,
    more: children('1.0'),
  },
  '1.0': { task: 'Tests of roles', agoMs: minute, agent: 'codex', more: [asked] },
  2: { task: 'Fix the database connection', agoMs: 30 * minute, more: [{ event: 'done' }] },
}))
  makeSession(place.folder, id, { cwd: '/src/shop', ...given })

const tmux = (...words) =>
  execFileSync('tmux', ['-S', join(place.folder, 'tmux'), '-f', '/dev/null', ...words], {
    cwd: place.folder,
    env: { ...place.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  })
tmux('-u', 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, ...tool('scope'))
try {
  mkdirSync(pictures, { recursive: true })
  await seen('is to implement: Write tests')
  tmux('send-keys', 'j')
  await seen('asks: May I')
  save('scope-dashboard')
  tmux('send-keys', '?')
  await seen('all sessions go on')
  save('scope-dashboard-help')
} finally {
  tmux('kill-server')
  place.leave()
}

async function seen(text) {
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (tmux('capture-pane', '-p').includes(text)) return
    await sleep(20)
  }
  throw new Error(`expected ${text} on the screen`)
}

function save(name) {
  const screen = tmux('capture-pane', '-p', '-e').replace(/scope · \S+ (─+)/, (whole) =>
    'scope · shop '.padEnd(whole.length, '─'),
  )
  writeFileSync(join(pictures, `${name}.svg`), svgOf(screen.split('\n').slice(0, rows)))
}

/** A screen with its escape sequences as a picture, each run of one look a text of so many cells. */
function svgOf(lines) {
  const size = `width="${columns * cellWidth + 20}" height="${rows * cellHeight + 20}"`
  let look = {}
  const drawn = lines.flatMap((line, row) => {
    let cell = 0
    return line.split(/(\u001b\[[\d;]*m)/).flatMap((part) => {
      const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1]
      if (codes !== undefined) {
        for (const code of codes.split(';')) look = lookAfter(look, code)
        return []
      }
      const at = cell
      cell += [...part].length
      return part === '' ? [] : [runOf(part, { at, row, look })]
    })
  })
  const style = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14"'
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style}>\n<title>The dashboard of scope</title>\n<rect width="100%" height="100%" rx="6" fill="#fdfdfb"/>`
  return `${[head, ...drawn.filter((run) => run !== '')].join('\n')}\n</svg>\n`
}

function lookAfter(look, code) {
  if (code === '' || code === '0') return {}
  if (code === '1') return { ...look, bold: true }
  if (code === '2') return { ...look, dim: true }
  if (code === '22') return { ...look, bold: false, dim: false }
  if (code === '7' || code === '27') return { ...look, inverse: code === '7' }
  if (code === '39') return { ...look, colour: undefined }
  return colours.has(code) ? { ...look, colour: colours.get(code) } : look
}

function runOf(text, { at, row, look: { bold, dim, inverse, colour } }) {
  const [x, width] = [10 + at * cellWidth, [...text].length * cellWidth]
  const y = 10 + row * cellHeight
  const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${cellHeight}" fill="#2b2b2b"/>`
  if (text.trim() === '') return inverse ? box : ''
  const fill = inverse ? '#fdfdfb' : (colour ?? (dim ? '#8a8a86' : '#2b2b2b'))
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const place = `x="${x.toFixed(1)}" y="${y + 13}" textLength="${width.toFixed(1)}"`
  const words = `<text ${place} fill="${fill}"${bold ? ' font-weight="bold"' : ''} xml:space="preserve">${shown}</text>`
  return inverse ? `${box}${words}` : words
}
