import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { noteSchema } from './note-schema.ts'
import { serializeNote } from './note-serializer.ts'

const { nodes, marks } = noteSchema
const paragraph = (...content: readonly Node[]) => nodes.paragraph.create(null, content)
const text = (value: string, ...names: readonly ('strong' | 'em')[]) =>
  noteSchema.text(
    value,
    names.map((name) => marks[name].create()),
  )
const link = (value: string, href: string) => noteSchema.text(value, [marks.link.create({ href })])
const item = (...content: readonly Node[]) => nodes.list_item.create(null, content)
const doc = (...content: readonly Node[]) => nodes.doc.create(null, content)

test.each<[Node, string]>([
  [doc(paragraph()), ''],
  [doc(paragraph(text(' '))), ''],
  [doc(paragraph(text('a')), paragraph(), paragraph(text('b'))), '<p>a</p><p></p><p>b</p>'],
  [doc(paragraph(text('a'), nodes.hard_break.create(), text('b'))), '<p>a<br />b</p>'],
  [
    doc(paragraph(text('a', 'strong'), text('b', 'strong', 'em'))),
    '<p><strong>a</strong><strong><em>b</em></strong></p>',
  ],
  [
    doc(paragraph(link('our "site"', 'https://a.example/?q="x"&y'))),
    '<p><a href="https://a.example/?q=&quot;x&quot;&amp;y">our "site"</a></p>',
  ],
  [
    doc(paragraph(text('see https://a.example.'))),
    '<p>see <a href="https://a.example">https://a.example</a>.</p>',
  ],
  [
    doc(
      nodes.bullet_list.create(null, [
        item(paragraph(text('a')), nodes.ordered_list.create(null, [item(paragraph(text('b')))])),
        item(paragraph(text('c')), paragraph(text('d'))),
      ]),
    ),
    '<ul><li>a<ol><li>b</li></ol></li><li>c<p>d</p></li></ul>',
  ],
  [doc(paragraph(text('<b>&amp;\u00a0"'))), '<p>&lt;b&gt;&amp;amp;\u00a0"</p>'],
])('%s', (note, html) => {
  expect(serializeNote(note)).toBe(html)
})
