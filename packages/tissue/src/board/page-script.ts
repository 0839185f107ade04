// How the board's page is filtered, moved around in and kept in step. Without it the page is whole: lists, details, graph.

/** The script of the page; it only ever shows and hides what is there. */
export const pageScript = `
const all = (query, within = document) => [...within.querySelectorAll(query)]
const words = document.querySelector('input[type=search]')
const shown = document.querySelector('output')
const cards = all('.card')
const boxes = new Map(all('.box').map((box) => [box.getAttribute('href').slice(1), box]))
const texts = new Map()
const textOf = (id) => {
  if (!texts.has(id)) texts.set(id, (document.getElementById(id)?.textContent ?? '').toLowerCase())
  return texts.get(id)
}
const idOf = (link) => link.getAttribute('href').slice(1)
const filter = () => {
  const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean)
  const isMeant = (id) => wanted.every((word) => textOf(id).includes(word))
  let count = 0
  for (const card of cards) {
    card.parentElement.hidden = !isMeant(idOf(card))
    if (!card.parentElement.hidden) count += 1
  }
  for (const [id, box] of boxes) box.classList.toggle('miss', wanted.length > 0 && !isMeant(id))
  for (const column of all('.column')) {
    const there = all('li:not([hidden])', column).length
    const whole = all('li', column).length
    column.querySelector('h2 span').textContent = there === whole ? whole : there + ' of ' + whole
  }
  shown.value = wanted.length === 0 ? '' : count + ' of ' + cards.length
}
let waiting
let drag
let moved = false
words.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(filter, 100) })

const svg = document.querySelector('.canvas svg')
const canvas = document.querySelector('.canvas')
const after = new Map()
const before = new Map()
for (const wire of svg ? all('path[data-from]', svg) : []) {
  const { from, to } = wire.dataset
  for (const [map, start, end] of [[after, from, to], [before, to, from]]) {
    if (!map.has(start)) map.set(start, [])
    map.get(start).push({ wire, end })
  }
}
const light = (id) => {
  for (const lit of all('.lit', svg)) lit.classList.remove('lit')
  svg.classList.toggle('dims', id !== undefined)
  if (id === undefined) return
  for (const map of [after, before]) {
    const reached = new Set([id])
    for (const here of reached) {
      boxes.get(here)?.classList.add('lit')
      for (const { wire, end } of map.get(here) ?? []) { wire.classList.add('lit'); reached.add(end) }
    }
  }
}
const openId = () => (location.hash.startsWith('#i-') ? location.hash.slice(1) : undefined)
let scale = 1
const size = svg ? { width: svg.width.baseVal.value, height: svg.height.baseVal.value } : undefined
const zoom = (wanted, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) => {
  const next = Math.min(3, Math.max(0.08, wanted))
  const left = (canvas.scrollLeft + x) / scale
  const top = (canvas.scrollTop + y) / scale
  scale = next
  svg.setAttribute('width', size.width * scale)
  svg.setAttribute('height', size.height * scale)
  canvas.scrollLeft = left * scale - x
  canvas.scrollTop = top * scale - y
}
const fit = (least) => {
  zoom(Math.min(1, Math.max(least, Math.min(canvas.clientWidth / size.width, canvas.clientHeight / size.height))))
  canvas.scrollTo(0, 0)
}
const reveal = (id) => {
  const box = boxes.get(id)
  if (!box || canvas.clientWidth === 0) return
  const { x, y, width } = box.getBBox()
  const room = canvas.clientWidth - Math.min(576, canvas.clientWidth / 2)
  if (scale < 0.6) zoom(0.9)
  canvas.scrollTo({ left: (x + width / 2) * scale - room / 2, top: y * scale - canvas.clientHeight / 2 })
}
const follow = () => {
  const id = openId()
  for (const open of all('.is-open')) open.classList.remove('is-open')
  for (const link of all('.card,.box')) if (idOf(link) === id) link.classList.add('is-open')
  if (svg) { light(boxes.has(id) ? id : undefined); reveal(id) }
}
if (svg) {
  document.querySelector('.zoom').hidden = false
  for (const [id, box] of boxes) {
    box.addEventListener('pointerenter', () => { if (!drag) light(id) })
    box.addEventListener('pointerleave', () => { if (!drag) light(boxes.has(openId()) ? openId() : undefined) })
  }
  canvas.addEventListener('wheel', (event) => {
    if (event.shiftKey) return
    event.preventDefault()
    const { left, top } = canvas.getBoundingClientRect()
    zoom(scale * Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top)
  }, { passive: false })
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button === 0) drag = { x: event.clientX, y: event.clientY, far: false }
  })
  addEventListener('pointermove', (event) => {
    if (!drag) return
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y]
    if (!drag.far && Math.hypot(x, y) < 5) return
    canvas.classList.add('moves')
    canvas.scrollBy(-x, -y)
    drag = { x: event.clientX, y: event.clientY, far: true }
  })
  addEventListener('pointerup', () => { moved = Boolean(drag?.far); drag = undefined; canvas.classList.remove('moves') })
  canvas.addEventListener('click', (event) => { if (moved) event.preventDefault() })
  canvas.addEventListener('dragstart', (event) => event.preventDefault())
  const act = { in: () => zoom(scale * 1.3), out: () => zoom(scale / 1.3), fit: () => fit(0) }
  for (const button of all('.zoom button')) button.addEventListener('click', act[button.name])
  document.querySelector('#v-graph').addEventListener('change', () => { if (scale === 1) fit(0.55); follow() })
}
addEventListener('hashchange', follow)
const step = (by) => {
  const there = cards.filter((card) => !card.parentElement.hidden)
  const at = there.findIndex((card) => idOf(card) === openId())
  const next = there[Math.max(0, Math.min(there.length - 1, at + by))]
  if (next) { location.hash = idOf(next); next.scrollIntoView({ block: 'nearest' }) }
}
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isTyping = event.target === words
  if (event.key === 'Escape') {
    if (isTyping && words.value) { words.value = ''; filter() } else if (openId()) location.hash = '#_'
    words.blur()
    return
  }
  if (isTyping) return
  if (event.key === '/') { event.preventDefault(); words.focus() }
  else if (event.key === 'j') step(1)
  else if (event.key === 'k') step(-1)
  else if (event.key === 'g') {
    const other = document.querySelector('.view:not(:checked)')
    other.checked = true
    other.dispatchEvent(new Event('change'))
  }
})
words.hidden = false
filter()
follow()
`
