import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { sanitizeHtml } from '../src/index.ts'

const TAGS = new Set([
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
])
/** Matches every allowed form of a tag. The output without these matches must contain no markup. */
const TAG = /<(?:\/[a-z1-6]+|[a-z1-6]+(?: (?:href|colspan|rowspan)="[^"<>]*")*(?: \/)?)>/g

describe('sanitizeHtml', () => {
  test.each([
    '<p>Hello <b>x</b> &amp; "q"</p>',
    '<h1>A</h1><ul><li>one</li><li>two <em>2</em></li></ul><hr />',
    '<table><tbody><tr><td colspan="2" rowspan="3">1</td></tr></tbody></table>',
    '<a href="https://x.example/?a=1&amp;b=2">x</a> <a href="mailto:a@x.example">m</a> <a href="TEL:+55">t</a>',
    '<pre><code>if (a &lt; b) {\n\tgo()\n}</code></pre>',
    'just text, ünïcödé 🙂',
    '',
  ])('returns allowed HTML unchanged: %j', (html) => {
    expect(sanitizeHtml(html)).toBe(html)
  })

  test.each([
    ['<br>', '<br />'],
    ['<P CLASS="x" style="color:red" id=a onclick="f()" data-x=1>a</P>', '<p>a</p>'],
    ['<p>a<!-- b --><![CDATA[c]]><?d?>e', '<p>ae</p>'],
    ['a<img src=x onerror=alert(1)>b', 'ab'],
    ['<font color=red>a</font><x-y>b</x-y>', 'ab'],
    ['<td colspan>1</td>', '<td>1</td>'],
    ['1 < 2 > 0 & "', '1 &lt; 2 &gt; 0 &amp; "'],
    ['<b>not closed', '<b>not closed</b>'],
    ['<p>&#0;&#xD800;</p>', '<p>\ufffd\ufffd</p>'],
    [
      '&eacute; &copy &#233; &nothing &; &#x110000000;',
      '&eacute; &amp;copy &#233; &amp;nothing &amp;; &amp;#x110000000;',
    ],
    ['a > b', 'a &gt; b'],
  ])('keeps the formatting and text of %j', (html, cleaned) => {
    expect(sanitizeHtml(html)).toBe(cleaned)
  })

  test.each(['script', 'style', 'iframe', 'noframes'])('removes <%s> with its content', (tag) => {
    expect(sanitizeHtml(`a<${tag}>x<b>y</b></${tag}>z`)).toBe('az')
    expect(sanitizeHtml(`a<${tag.toUpperCase()} x="1">x<b>y`)).toBe('a')
    expect(sanitizeHtml(`a<svg><${tag}>x<b>y</b></${tag}></svg>z`)).toBe('az')
  })

  test.each(['noscript', 'template', 'svg', 'math', 'object', 'select', 'button', 'video', 'canvas'])(
    'removes <%s> and keeps its content',
    (tag) => {
      expect(sanitizeHtml(`a<${tag} x="1"> <i>x</i> &lt; y</${tag}>z`)).toBe('a <i>x</i> &lt; yz')
      expect(sanitizeHtml(`a<${tag.toUpperCase()}>x<b>y`)).toBe('ax<b>y</b>')
    },
  )

  test.each([
    ['<textarea>hello</textarea>', 'hello'],
    ['<title>hello</title>', 'hello'],
    ['<noembed>hello</noembed>', 'hello'],
    ['<template>hello</template>', 'hello'],
    [
      '<svg><title>A</title><text x="1">hello</text><text>you</text></svg>',
      'A<div>hello</div><div>you</div>',
    ],
    ['<svg><![CDATA[a<b>]]></svg>', 'a&lt;b&gt;'],
    ['<math><mi>x</mi><mo>=</mo><mn>1</mn></math>', 'x=1'],
    ['<xmp>a\n<b>&lt;</xmp>', '<pre>a\n&lt;b&gt;&amp;lt;</pre>'],
    ['<listing>a\nb</listing>', '<pre>a\nb</pre>'],
    ['a<plaintext>b</plaintext><script>', 'a<pre>b&lt;/plaintext&gt;&lt;script&gt;</pre>'],
  ])('keeps the text of %j', (html, cleaned) => {
    expect(sanitizeHtml(html)).toBe(cleaned)
    expect(sanitizeHtml(cleaned)).toBe(cleaned)
  })

  test.each(['textarea', 'title', 'noembed'])('keeps the markup within <%s> as text', (tag) => {
    const html = `<${tag}><img src=x onerror=alert(1)><script>x</script></${tag}>z`
    expect(sanitizeHtml(html)).toBe('&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;x&lt;/script&gt;z')
  })

  test.each([
    ['<section>Call Ana</section><section>Tuesday</section>', '<div>Call Ana</div><div>Tuesday</div>'],
    ['<dl><dt>Due</dt><dd>Friday</dd></dl>', '<div><div>Due</div><div>Friday</div></div>'],
    ['<dl><dt>Due<dd>Friday</dl>', '<div><div>Due</div><div>Friday</div></div>'],
    ['<select><option>A<option>B</select>', '<div>A</div><div>B</div>'],
    ['<menu><li>A</li></menu>', '<ul><li>A</li></ul>'],
    ['<p>a<section class="x">b</section>c', '<p>a</p><div>b</div>c'],
    ['<p>a<summary>b</summary></p>', '<p>a</p><div>b</div><p></p>'],
  ])('keeps the blocks of %j apart', (html, cleaned) => {
    expect(sanitizeHtml(html)).toBe(cleaned)
    expect(sanitizeHtml(cleaned)).toBe(cleaned)
  })

  test.each([
    ...['address', 'article', 'aside', 'center', 'details', 'dialog', 'fieldset', 'figcaption', 'figure'],
    ...['footer', 'form', 'header', 'hgroup', 'legend', 'main', 'nav', 'search', 'section', 'summary'],
  ])('replaces <%s> by <div>', (tag) => {
    expect(sanitizeHtml(`<${tag} id="1">a</${tag}><${tag.toUpperCase()}>b</${tag}>`)).toBe(
      '<div>a</div><div>b</div>',
    )
  })

  test.each([
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<noscript><style></noscript><img src=x onerror=alert(1)></style>',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<svg><title><style><img title="</style><img src=x onerror=alert(1)>"></style>',
    '<svg><textarea><img src=x onerror=alert(1)></textarea></svg>',
    '<textarea></textarea/><img src=x onerror=alert(1)>',
    '<title>&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;</title>',
    '<option>&lt;script&gt;alert(1)&lt;/script&gt;</option>',
    '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
    '<noembed><p title="</noembed><svg onload=alert(1)>">',
    '<template><script>alert(1)</script><img src=x onerror=alert(1)></template>',
    '<object data="javascript:alert(1)"><embed src="javascript:alert(1)"><script>alert(1)</script></object>',
    '<svg><![CDATA[</svg><img src=x onerror=alert(1)>]]>',
    '<math href="javascript:alert(1)"><annotation-xml encoding="text/html"><script>alert(1)</script>',
    '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></iframe></foreignObject></svg>',
    '<svg><script href="data:,alert(1)" /><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<select><style></select><img src=x onerror=alert(1)></style>',
    '<plaintext><script>alert(1)</script>',
  ])('leaves no markup but formatting in %j', (html) => {
    const cleaned = sanitizeHtml(html)
    expectFormattingOnly(cleaned)
    expect(sanitizeHtml(cleaned)).toBe(cleaned)
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript&colon;alert(1)',
    'java&Tab;script:alert(1)',
    ' \tjavascript:alert(1)',
    '\u0001javascript:alert(1)',
    '\u00a0https://x.example',
    'ht\ntps://x.example',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//x.example',
    '/\\x.example',
    'https:x.example',
    '/v1/people',
    '#part',
    '',
  ])('removes a link to %j', (href) => {
    expect(sanitizeHtml(`<a href="${href}">x</a>`)).toBe('<a>x</a>')
  })

  test('closes a link before the next one, even when a removed tag separated them', () => {
    expect(sanitizeHtml('<a><x><a>y</a></x></a>')).toBe('<a></a><a>y</a>')
  })

  test('escapes HTML that is nested deeper than browsers allow', () => {
    const nested = (times: number) => `${'<b>'.repeat(times)}x${'</b>'.repeat(times)}`
    expect(sanitizeHtml(nested(512))).toBe(nested(512))
    expect(sanitizeHtml(nested(513))).toBe(nested(513).replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    expect(sanitizeHtml(`${'<b>'.repeat(16_000)}${'</x>'.repeat(12_000)}`)).not.toContain('<')
  })

  test('escapes HTML with too many tags and text nodes', () => {
    expect(sanitizeHtml('<br />'.repeat(20_000))).toBe('<br />'.repeat(20_000))
    expect(sanitizeHtml('<br />'.repeat(20_001))).toBe('&lt;br /&gt;'.repeat(20_001))
    expect(sanitizeHtml('<'.repeat(100_000))).toBe('&lt;'.repeat(100_000))
    expect(sanitizeHtml(`<b>${'&lt;'.repeat(20_001)}</b>`)).toBe(
      `&lt;b&gt;${'&lt;'.repeat(20_001)}&lt;/b&gt;`,
    )
    expect(sanitizeHtml('&'.repeat(100_000))).toBe('&amp;'.repeat(100_000))
  })

  test.each([
    '<a href=',
    '<b ',
    '<!--',
    '<![CDATA[',
    '<svg><style>',
    '<noscript>',
    '<iframe>',
    '<p><x>',
    '<a><x><a>',
    '&',
    '\0',
  ])('is idempotent for a hundred thousand characters of %j', (piece) => {
    const cleaned = sanitizeHtml(piece.repeat(100_000 / piece.length))
    expectFormattingOnly(cleaned)
    expect(sanitizeHtml(cleaned)).toBe(cleaned)
  })

  test('returns only formatting, and is idempotent, for arbitrary input', () => {
    fc.assert(
      fc.property(arbitraryHtml, (html) => {
        const cleaned = sanitizeHtml(html)
        expectFormattingOnly(cleaned)
        expect(sanitizeHtml(cleaned)).toBe(cleaned)
      }),
      { numRuns: 3000 },
    )
  })
})

const NAMES = [
  ...TAGS,
  'script',
  'style',
  'svg',
  'math',
  'mtext',
  'mglyph',
  'foreignObject',
  'annotation-xml',
  'desc',
  'title',
  'noscript',
]
NAMES.push(
  'template',
  'iframe',
  'textarea',
  'xmp',
  'noembed',
  'noframes',
  'plaintext',
  'select',
  'option',
  'form',
  'img',
  'image',
  'x',
  'dl',
  'dt',
  'dd',
  'section',
  'summary',
  'menu',
  'text',
  'object',
)
const name = fc.constantFrom(...NAMES).chain((tag) => fc.constantFrom(tag, tag.toUpperCase()))
const href = fc
  .array(
    fc.constantFrom(
      ...[
        'https://x.example',
        'javascript:',
        'JAVA',
        'script',
        'data:text/html,',
        'vbscript:',
        'mailto:',
        '//',
        '\\',
        '&colon;',
        '&#106;',
        '&Tab;',
      ],
      ...['\n', ' ', '\0', '\u0001', '"', "'", '`', '<', '>', '&', '&quot;', '=', '<!--', '-->', 'alert(1)'],
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))
const attribute = fc
  .tuple(
    fc.constantFrom(
      'href',
      'HREF',
      'style',
      'onclick',
      'colspan',
      'id',
      '__proto__',
      'xlink:href',
      '"',
      "'",
      '<',
      '=',
    ),
    href,
  )
  .chain(([key, value]) =>
    fc.constantFrom(`${key}="${value}"`, `${key}='${value}'`, `${key}=${value}`, `${key}="${value}`, key),
  )
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(name, fc.array(attribute, { maxLength: 2 }))
      .map(([tag, rest]) => `<${[tag, ...rest].join(' ')}>`),
  },
  { weight: 4, arbitrary: name.map((tag) => `</${tag}>`) },
  fc.tuple(name, fc.constantFrom('/', ' /', '\0', '\n', '/onload=x ')).map(([tag, end]) => `<${tag}${end}>`),
  fc.constantFrom(
    ...[
      '<!--',
      '-->',
      '--!>',
      '<!-->',
      '<![CDATA[',
      ']]>',
      '<!doctype x>',
      '<?',
      '<',
      '>',
      '</',
      '&',
      '&lt;',
      '&#60;',
      '&ltscript&gt',
      '&amp;lt;',
    ],
    ...[
      '"',
      "'",
      '\0',
      '\r',
      '\u2028',
      '\ud800',
      'text',
      '<img src=x onerror=alert(1)>',
      '<a/href=javascript:x>',
      '<script>alert(1)</script',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const arbitraryHtml = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))

function expectFormattingOnly(html: string): void {
  expect(html.replace(TAG, '')).not.toMatch(/[<>]/)
  const violations: string[] = []
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (!TAGS.has(tag)) violations.push(tag)
      for (const [key, value] of Object.entries(attributes))
        if (!isAllowedAttribute(tag, key, value)) violations.push(`${tag} ${key}=${value}`)
    },
    oncomment: (text) => violations.push(text),
    onprocessinginstruction: (_, text) => violations.push(text),
  })
  parser.end(html)
  expect(violations).toEqual([])
}

function isAllowedAttribute(tag: string, key: string, value: string): boolean {
  if (tag === 'td' || tag === 'th') return key === 'colspan' || key === 'rowspan'
  const url = URL.parse(value, 'relative://page.example/')
  return (
    tag === 'a' &&
    key === 'href' &&
    (url === null || ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol))
  )
}
