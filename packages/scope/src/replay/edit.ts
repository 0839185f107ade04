/** One change of one file. `from` stands in it before, `to` behind; `all`: wherever it stands. */
export type FileEdit =
  | { readonly path: string; readonly is: 'write'; readonly text: string }
  | { readonly path: string; readonly is: 'delete' }
  | { readonly path: string; readonly is: 'replace'; readonly from: string; readonly to: string; readonly all: boolean }
