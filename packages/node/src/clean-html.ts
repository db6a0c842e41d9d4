import { createRequire } from 'node:module'
import type { SanitizeHtml } from '@sales-crm/core/ports'
import type sanitizeHtml from 'sanitize-html'

/** Where browsers stop nesting too. The parser looks for each end tag among all that are open. */
const MAX_DEPTH = 512
/** Tags and pieces of text, a character reference being one. What people write has far fewer in 100 000 characters. */
const MAX_NODES = 20_000
/** Stated from its first character on: what a browser makes of the rest cannot make it another scheme. */
const SAFE_HREF = /^[\t\n\f\r ]*(?:https?:\/\/|mailto:|tel:)/i

const SANITIZE_OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    ...[
      'p',
      'br',
      'hr',
      'div',
      'span',
      'blockquote',
      'pre',
      'code',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'ul',
      'ol',
      'li',
      'a',
    ],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'strike', 'del', 'sub', 'sup'],
    ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  /** What goes with all that is in it. Of other tags that are not allowed, the content stays. */
  nonTextTags: [
    ...['script', 'style', 'noscript', 'template', 'title', 'svg', 'math', 'iframe', 'object'],
    ...['textarea', 'select', 'option', 'xmp', 'noembed', 'noframes', 'plaintext'],
  ],
  transformTags: {
    a: (tagName, { href = '' }) => ({ tagName, attribs: SAFE_HREF.test(href) ? { href } : {} }),
  },
  // LINK is the one rule for addresses; the library's own takes quadratic time.
  allowedSchemesAppliedToAttributes: [],
}

const require = createRequire(import.meta.url)

/**
 * Formatting tags, links to other places, and text. Takes time in proportion to the length: what is nested deeper than 512, or is more
 * than 20 000 pieces, comes back as the text that it is written in.
 */
export const cleanHtml: SanitizeHtml = (html) => {
  if (!html.includes('<')) return escapeText(html)
  try {
    const cleaned = sanitize(html)
    // Without the tags between them, two links or paragraphs may be one in another, and would be closed when read again.
    return cleaned === html ? cleaned : sanitize(cleaned)
  } catch (error) {
    if (error instanceof TooComplex) return escapeText(html)
    throw error
  }
}

/** A text without markup, in which every character shows as itself. Character references stay what they are. */
function escapeText(text: string): string {
  return text
    .replace(/&(?!(?:[a-z][a-z0-9]{1,31}|#[0-9]{1,7}|#x[0-9a-f]{1,6});)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

class TooComplex extends Error {}

function sanitize(html: string): string {
  let depth = 0
  let nodes = 0
  function countNode(): void {
    nodes += 1
    if (depth > MAX_DEPTH || nodes > MAX_NODES) throw new TooComplex()
  }
  return loadSanitizeHtml()(html, {
    ...SANITIZE_OPTIONS,
    onOpenTag() {
      depth += 1
      countNode()
    },
    onCloseTag() {
      depth -= 1
    },
    textFilter(text) {
      countNode()
      return text
    },
  })
}

/** Loaded when first called, since loading it takes longer than all the rest of the package, and the port cannot wait for an import. */
function loadSanitizeHtml(): typeof sanitizeHtml {
  return require('sanitize-html')
}
