/** News in the order in which they came; `take` waits for some and gives all there are, so that a burst is one look. */
export function newsQueue<News>(): { push(news: News): void; take(): Promise<News[]> } {
  let waiting: News[] = []
  let resume: (() => void) | undefined
  return {
    push: (news) => {
      waiting.push(news)
      resume?.()
    },
    take: async () => {
      if (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          resume = resolve
        })
        resume = undefined
      }
      const batch = waiting
      waiting = []
      return batch
    },
  }
}
