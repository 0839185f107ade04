import { notebookCells } from './embedded-notebook.ts'
import { dockerfileRuns, workflowRuns } from './embedded-shell.ts'
import type { FileLanguage, Language } from './language.ts'
import { type EmbeddedScript, placedText } from './placed-text.ts'

/** The programs inside a file: script elements, cells of notebooks, steps of workflows, RUN of Dockerfiles. */
export function embeddedScripts(path: string, language: FileLanguage | undefined, text: string): EmbeddedScript[] {
  if (language === 'astro') return [...frontMatter(text), ...scriptElements(text)]
  if (language === 'vue' || language === 'svelte' || language === 'html') return scriptElements(text)
  if (language === 'notebook') return notebookCells(text)
  if (language === 'dockerfile') return dockerfileRuns(text)
  if (language === 'yaml' && workflowPath.test(path)) return workflowRuns(text)
  return []
}

const workflowPath = /(?:^|\/)\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/[^\n]+$|(?:^|\/)action\.ya?ml$/

/** Between the lines `---` at the top of an Astro file. */
function frontMatter(text: string): EmbeddedScript[] {
  const [whole, opening = '', body = ''] = /^(\s*---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*$/m.exec(text) ?? []
  if (whole === undefined || !text.startsWith(whole)) return []
  return [{ language: 'typescript', ...placedText([{ text: body, at: opening.length }]) }]
}

const scriptElement = /<!--[\s\S]*?(?:-->|$)|(<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>)([\s\S]*?)<\/script\s*>/gi

function scriptElements(text: string): EmbeddedScript[] {
  return [...text.matchAll(scriptElement)].flatMap(({ index, 1: opening, 2: attributes = '', 3: body = '' }) => {
    const language = opening === undefined ? undefined : languageOfElement(attributes)
    if (language === undefined || body.trim() === '') return []
    return [{ language, ...placedText([{ text: body, at: index + (opening?.length ?? 0) }]) }]
  })
}

function languageOfElement(attributes: string): Language | undefined {
  const attribute = (name: string) =>
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']?([^"'\\s>]+)`, 'i').exec(attributes)?.[1]?.toLowerCase()
  const lang = attribute('lang')
  if (lang !== undefined)
    return ({ ts: 'typescript', typescript: 'typescript', tsx: 'tsx', js: 'javascript', jsx: 'javascript' } as const)[
      lang
    ]
  const type = attribute('type') ?? 'module'
  if (/^(?:text|application)\/(?:typescript|x-typescript)$/.test(type)) return 'typescript'
  return /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/babel)$/.test(type)
    ? 'javascript'
    : undefined
}
