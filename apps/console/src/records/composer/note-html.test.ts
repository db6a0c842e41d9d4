import { expect, test } from 'vitest'
import { buildNoteHtml } from './note-html.ts'

test.each([
  ['one\ntwo\n\nthree', '<p>one<br />two</p><p>three</p>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['- a\nb', '<p>- a<br />b</p>'],
  ['**signs** and _lines_ stay', '<p>**signs** and _lines_ stay</p>'],
  ['<b>&"', '<p>&lt;b&gt;&amp;"</p>'],
  [
    'see https://a.example/x_y_z?a=1&b=2.',
    '<p>see <a href="https://a.example/x_y_z?a=1&amp;b=2">https://a.example/x_y_z?a=1&amp;b=2</a>.</p>',
  ],
  ['javascript:alert(1)', '<p>javascript:alert(1)</p>'],
  ['  \n\n ', ''],
])('%j becomes %j', (note, html) => {
  expect(buildNoteHtml(note)).toBe(html)
})
