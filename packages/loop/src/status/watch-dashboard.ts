import type { Context } from '@switchyard/cli-kit'
import { openScreen } from '@switchyard/cli-kit/terminal/screen'
import { followTopics, type Store } from '@switchyard/topic'
import { readEvents } from '../record/journal.ts'
import { standings } from '../record/standing.ts'
import { loopEvent } from '../state/event-schema.ts'
import { isRepeating, renderEvent } from '../state/render-event.ts'
import { type News, renderDashboard } from './dashboard.ts'

const tickMs = 1000
/** A process that was killed tells nobody. */
const lookTicks = 3
const newsMax = 200
const prefix = 'loop:run:'

/** Shows all runs on the whole terminal, at each event and each second, until `q` or Ctrl-C. */
export async function watchDashboard(store: Store, { output, now }: Pick<Context, 'output' | 'now'>): Promise<void> {
  const quit = new AbortController()
  let runs = standings(store, now())
  let ticks = 0
  const news = earlier(
    store,
    runs.slice(0, 3).map(({ run }) => run),
  )
  const screen = openScreen({
    hasColor: output.color,
    onTyped: (typed) => {
      if ('key' in typed && ['q', 'escape', 'ctrl-c'].includes(typed.key)) quit.abort()
      if ('key' in typed && typed.key === 'ctrl-z') screen.suspend()
    },
    onResize: () => draw(),
  })
  const draw = () => screen.draw(renderDashboard(runs, news, screen.size(), now()))
  const tick = setInterval(() => {
    ticks += 1
    if (ticks % lookTicks === 0) runs = standings(store, now())
    draw()
  }, tickMs)
  try {
    draw()
    for await (const { message } of followTopics(store, {
      isMeant: (topic) => topic.startsWith(prefix),
      signal: quit.signal,
    })) {
      const event = loopEvent.safeParse(message.data)
      if (!event.success || isRepeating(event.data)) continue
      news.push({ at: message.at, run: message.topic.slice(prefix.length), text: renderEvent(event.data) })
      news.splice(0, news.length - newsMax)
      runs = standings(store, now())
      draw()
    }
  } finally {
    clearInterval(tick)
    screen.close()
  }
}

function earlier(store: Store, runs: readonly string[]): News[] {
  const all = runs.flatMap((run) =>
    [...readEvents(store, run)].flatMap(({ at, event }) =>
      isRepeating(event) ? [] : [{ at, run, text: renderEvent(event) }],
    ),
  )
  return all.sort((a, b) => a.at - b.at).slice(-newsMax)
}
