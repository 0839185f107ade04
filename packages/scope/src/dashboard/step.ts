// What a key comes to.
import type { Board } from './board.ts'

/** What is asked for beside another view. */
export type Act =
  | { readonly is: 'quit' }
  | { readonly is: 'suspend' }
  | { readonly is: 'projects' }
  | { readonly is: 'new'; readonly task: string }
  | { readonly is: 'attach' | 'abort' | 'pause' | 'rubric' | 'logs' | 'dialog'; readonly id: string }
  | { readonly is: 'resume' | 'send'; readonly id: string; readonly text: string; readonly attaches?: true }
  | { readonly is: 'key'; readonly id: string; readonly key: string }

/** A board, and what is to be done. */
export type Step = { readonly board: Board; readonly act?: Act }

/** What the keys have to know of the screen: the rows of a page, and how far down its text goes. */
export type Room = { readonly page: number; readonly scrollMax: number }
