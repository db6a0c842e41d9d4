import { expect, test } from 'vitest'
import { buildNoteHtml } from './note-html.ts'

test.each([
  ['one\ntwo\n\nthree', '<p>one<br>two</p><p>three</p>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['- a\nb', '<p>- a<br>b</p>'],
  ['a **bold** and _soft_ word', '<p>a <strong>bold</strong> and <em>soft</em> word</p>'],
  ['snake_case_name stays', '<p>snake_case_name stays</p>'],
  ['2 ** 3 ** 4', '<p>2 ** 3 ** 4</p>'],
  ['<b>&"', '<p>&#60;b&#62;&#38;&#34;</p>'],
  [
    'see https://a.example/x_y_z?a=1&b=2.',
    '<p>see <a href="https://a.example/x_y_z?a=1&#38;b=2">https://a.example/x_y_z?a=1&#38;b=2</a>.</p>',
  ],
  ['javascript:alert(1)', '<p>javascript:alert(1)</p>'],
  ['  \n\n ', ''],
])('%j becomes %j', (note, html) => {
  expect(buildNoteHtml(note)).toBe(html)
})
