import type { Mark, Node } from 'prosemirror-model'
import { escapeAttribute, escapeText, linkAddresses } from './note-html.ts'

const BLOCK_TAGS: Readonly<Record<string, string>> = {
  paragraph: 'p',
  bullet_list: 'ul',
  ordered_list: 'ol',
  list_item: 'li',
}

/**
 * Returns the HTML of a note in the form in which the service stores it, so that what is sent is what is read again. Typed
 * addresses become links. A note without text is empty.
 */
export function serializeNote(doc: Node): string {
  return doc.textContent.trim() === '' ? '' : serializeContent(doc)
}

function serializeContent(node: Node): string {
  return node.children.map(serializeNode).join('')
}

function serializeNode(node: Node): string {
  if (node.type.name === 'hard_break') return '<br />'
  if (node.isText) return wrapMarks(node)
  // An item of one paragraph has no element for it, as in most HTML.
  const isPlainItem = node.type.name === 'list_item' && node.firstChild?.type.name === 'paragraph'
  const first = isPlainItem ? serializeContent(node.firstChild!) : ''
  const rest = isPlainItem ? node.children.slice(1).map(serializeNode).join('') : serializeContent(node)
  const tag = BLOCK_TAGS[node.type.name] ?? 'p'
  return `<${tag}>${first}${rest}</${tag}>`
}

function wrapMarks({ text = '', marks }: Node): string {
  const isLink = marks.some(({ type }) => type.name === 'link')
  return marks.reduceRight(wrapMark, isLink ? escapeText(text) : linkAddresses(text))
}

function wrapMark(html: string, { type, attrs }: Mark): string {
  if (type.name === 'link') return `<a href="${escapeAttribute(String(attrs['href']))}">${html}</a>`
  return `<${type.name}>${html}</${type.name}>`
}
