import { type DOMOutputSpec, Schema } from 'prosemirror-model'
import { bulletList, listItem, orderedList } from 'prosemirror-schema-list'

/** Addresses that the service keeps. */
const SAFE_HREF = /^(?:https?:\/\/|mailto:|tel:)/i

export function isSafeHref(href: string): boolean {
  return SAFE_HREF.test(href)
}

/** Where pasted styles are: the policy of the page refuses the attribute `style`. */
const STYLE = 'data-style'
const BOLD = /font-weight:\s*(?:bold|[6-9]00)/i
const ITALIC = /font-style:\s*italic/i

function hasStyle(element: HTMLElement, style: RegExp): boolean {
  return style.test(element.getAttribute(STYLE) ?? '')
}

/** A start tag, with any attributes. */
const TAG = /<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi

/** Prepares pasted HTML: without attributes that the policy of the page refuses, and with a space after each cell. */
export function preparePastedHtml(html: string): string {
  return html
    .replace(TAG, (tag) => tag.replace(/\s(style|on\w+)\s*=/gi, ' data-$1='))
    .replace(/<\/t[dh]\s*>/gi, ' $&')
}

/** What a note may hold. Pasted HTML becomes this. */
export const noteSchema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: {
      content: 'inline*',
      group: 'block',
      parseDOM: ['p', 'div', 'tr'].map((tag) => ({ tag })),
      toDOM: (): DOMOutputSpec => ['p', 0],
    },
    bullet_list: { ...bulletList, content: 'list_item+', group: 'block' },
    ordered_list: { ...orderedList, content: 'list_item+', group: 'block' },
    list_item: { ...listItem, content: 'paragraph (paragraph | bullet_list | ordered_list)*' },
    text: { group: 'inline' },
    hard_break: {
      inline: true,
      group: 'inline',
      selectable: false,
      parseDOM: [{ tag: 'br' }],
      toDOM: (): DOMOutputSpec => ['br'],
    },
  },
  // The order in which they are nested.
  marks: {
    link: {
      attrs: { href: {} },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs(element) {
            const href = element.getAttribute('href') ?? ''
            return isSafeHref(href) && { href }
          },
        },
      ],
      toDOM: ({ attrs }): DOMOutputSpec => ['a', { href: String(attrs['href']) }, 0],
    },
    strong: {
      parseDOM: [
        { tag: 'strong' },
        // Google Docs wraps all that is copied into a <b> of normal weight.
        { tag: 'b', getAttrs: (element) => !hasStyle(element, /font-weight:\s*(?:normal|400)/i) && null },
        { tag: `[${STYLE}]`, consuming: false, getAttrs: (element) => hasStyle(element, BOLD) && null },
      ],
      toDOM: (): DOMOutputSpec => ['strong', 0],
    },
    em: {
      parseDOM: [
        { tag: 'em' },
        { tag: 'i' },
        { tag: `[${STYLE}]`, consuming: false, getAttrs: (element) => hasStyle(element, ITALIC) && null },
      ],
      toDOM: (): DOMOutputSpec => ['em', 0],
    },
  },
})
