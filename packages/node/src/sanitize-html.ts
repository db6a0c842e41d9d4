import { createRequire } from 'node:module'
import type sanitizer from 'sanitize-html'

/** Maximum nesting depth, as in browsers. The parser searches all open tags for each end tag. */
const MAX_DEPTH = 512
/** Maximum tags, text runs and character references. Real HTML of 100 000 characters has far fewer. */
const MAX_NODES = 20_000
/** Anchored at the first character: the way a browser parses the rest cannot change the scheme. */
const SAFE_HREF = /^[\t\n\f\r ]*(?:https?:\/\/|mailto:|tel:)/i

/** Elements on lines of their own, without an allowed tag: their words must not run into those beside them. */
const BLOCK_TAGS = [
  ...['address', 'article', 'aside', 'center', 'dd', 'details', 'dialog', 'dl', 'dt', 'fieldset'],
  ...['figcaption', 'figure', 'footer', 'form', 'header', 'hgroup', 'legend', 'main', 'nav'],
  ...['optgroup', 'option', 'search', 'section', 'summary', 'text'],
]

const SANITIZE_OPTIONS: sanitizer.IOptions = {
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
  /**
   * Removed together with their content. Other disallowed tags are removed and their content is kept: no element
   * whose content a browser reads by other rules remains, and all text is escaped, also that of raw text elements.
   */
  nonTextTags: ['script', 'style', 'iframe', 'noframes'],
  transformTags: {
    ...replaceTags(BLOCK_TAGS, 'div'),
    ...replaceTags(['listing', 'plaintext', 'xmp'], 'pre'),
    ...replaceTags(['dir', 'menu'], 'ul'),
    a: (tagName, { href = '' }) => ({ tagName, attribs: SAFE_HREF.test(href) ? { href } : {} }),
  },
  // SAFE_HREF is the only check of URLs: the library's own check takes quadratic time.
  allowedSchemesAppliedToAttributes: [],
}

function replaceTags(tags: readonly string[], tagName: string): Record<string, sanitizer.Transformer> {
  return Object.fromEntries(tags.map((tag) => [tag, () => ({ tagName, attribs: {} })]))
}

const require = createRequire(import.meta.url)

/**
 * Keeps formatting tags, links and text. Runs in linear time: HTML nested deeper than 512 levels or with more
 * than 20 000 nodes is returned as escaped source text.
 */
export function sanitizeHtml(html: string): string {
  if (!html.includes('<')) return escapeText(html)
  try {
    const cleaned = sanitize(html)
    // Removing a tag can leave a link or paragraph inside another. A second pass closes the outer one, so
    // that the result no longer changes when it is cleaned again.
    return cleaned === html ? cleaned : sanitize(cleaned)
  } catch (error) {
    if (error instanceof TooComplex) return escapeText(html)
    throw error
  }
}

/** Escapes markup so that it is displayed as text. Existing character references are kept. */
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
  return loadSanitizer()(html, {
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

/**
 * Loads the library on first use: loading it takes longer than the rest of the package. Uses `require`
 * because the port is synchronous.
 */
function loadSanitizer(): typeof sanitizer {
  return require('sanitize-html')
}
