import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const README = join(import.meta.dirname, '../README.md')
const FENCED = /^```(\w+)\n(.*?)^```$/gms

/** The fenced block of a language in the README's section of that heading. */
export function readmeBlock(heading: string, language: 'ts' | 'text' | 'js' | 'python'): string {
  const section = readFileSync(README, 'utf8')
    .split(/^## /m)
    .find((each) => each.startsWith(`${heading}\n`))
  const blocks = Array.from(section?.matchAll(FENCED) ?? [])
  const text = blocks.find(([, name]) => name === language)?.[2]
  if (text === undefined) throw new Error(`README.md has no \`\`\`${language} block under "## ${heading}".`)
  return text
}
