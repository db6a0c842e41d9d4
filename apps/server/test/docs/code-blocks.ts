import { elementsOf } from '../support/strict-html.ts'

/** What the page has for pasting: the blocks by name, in their order. */
export function codeBlocksOf(page: string): Readonly<Record<string, string>> {
  const blocks = elementsOf(page).filter(({ tag }) => tag === 'pre')
  return Object.fromEntries(blocks.map(({ attributes, text }) => [attributes.get('id') ?? '', text]))
}
