import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extractHtmlText } from './html-text.ts'

test.each([
  ['<p>Called: she wants <b>twenty</b> licences.</p>', ' Called: she wants twenty licences. '],
  ['<b>twen</b>ty H<sub>2</sub>O', 'twenty H2O'],
  ['<p>one</p><p>two<br />three</p>', ' one  two three '],
  ['<ul><li>a</li><li>b</li></ul>', '  a  b  '],
  ['<a href="https://secret.example/?a=1&amp;b=2">the offer</a>', 'the offer'],
  ['R&amp;D &lt;b&gt; &quot;x&quot;', 'R&D <b> "x"'],
  ['Jos&eacute; &Ccedil;a &#233; &#xE9; &#XE9;', 'Jose Ca é é é'],
  ['&amp;eacute;&nbsp;&unknown;&constructor;&#1114112;.', '&eacute;    .'],
  ['&; &#; &#x; & é', '&; &#; &#x; & é'],
  ['', ''],
])('the text of %j', (html, text) => {
  expect(extractHtmlText(html)).toBe(text)
})

test('escaped text is its own text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      expect(extractHtmlText(`<p>${html}</p>`)).toBe(` ${text} `)
    }),
  )
})
