import { elementsOf } from '../support/strict-html.ts'

/** Returns the code blocks of a page by id, in order. */
export function codeBlocksOf(page: string): Readonly<Record<string, string>> {
  const blocks = elementsOf(page).filter(({ tag }) => tag === 'pre')
  return Object.fromEntries(blocks.map(({ attributes, text }) => [attributes.get('id') ?? '', text]))
}
