import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const FENCED = /^```(\w+)\n(.*?)^```$/gms

/** Returns the TypeScript blocks of a page that are whole modules: those with imports. */
export function moduleBlocks(page: string): readonly string[] {
  const blocks = Array.from(readFileSync(join(ROOT, page), 'utf8').matchAll(FENCED))
  return blocks.flatMap(([, language, text = '']) =>
    language === 'ts' && text.startsWith('import ') ? [text] : [],
  )
}

/**
 * Returns the first fenced block of a language in the page's section with that heading or in one below it.
 */
export function codeBlock(
  page: string,
  heading: string,
  language: 'ts' | 'text' | 'js' | 'python' | 'sh',
): string {
  const section = readFileSync(join(ROOT, page), 'utf8')
    .split(/^## /m)
    .find((each) => each.startsWith(`${heading}\n`))
  const blocks = Array.from(section?.matchAll(FENCED) ?? [])
  const text = blocks.find(([, name]) => name === language)?.[2]
  if (text === undefined) throw new Error(`${page} has no \`\`\`${language} block under "## ${heading}".`)
  return text
}
