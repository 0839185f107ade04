export type Mount = { readonly at: string } & (
  | { readonly is: 'shown'; readonly of: string; readonly writable: boolean }
  | { readonly is: 'empty'; readonly bytes: number }
  | { readonly is: 'link'; readonly to: string }
  | { readonly is: 'blank' }
)
