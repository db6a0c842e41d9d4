import { sanitizeHtml } from '@sales-crm/node'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { noteSchema } from '../src/records/composer/note-schema.ts'
import { serializeNote } from '../src/records/composer/note-serializer.ts'

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

/** Documents of the schema, of any text. */
const anyDoc = fc.letrec<{ inline: Node; list: Node; block: Node; doc: Node }>((tie) => ({
  inline: fc.oneof(
    fc
      .tuple(fc.string({ minLength: 1, unit: 'binary' }), fc.subarray(['strong', 'em'] as const))
      .map(([value, names]) => text(value.replaceAll(/[\0\r\ufffe\uffff]/g, '-'), ...names)),
    fc.webUrl().map((href) => link('link', href)),
    fc.constant(nodes.hard_break.create()),
  ),
  list: fc
    .tuple(
      fc.constantFrom('bullet_list' as const, 'ordered_list' as const),
      fc.array(
        fc.tuple(fc.array(tie('inline')), fc.option(tie('list'), { depthIdentifier: 'list', maxDepth: 2 })),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    )
    .map(([type, items]) =>
      nodes[type].create(
        null,
        items.map(([inline, nested]) => item(paragraph(...inline), ...(nested ? [nested] : []))),
      ),
    ),
  block: fc.oneof(
    fc.array(tie('inline')).map((inline) => paragraph(...inline)),
    tie('list'),
  ),
  doc: fc.array(tie('block'), { minLength: 1, maxLength: 5 }).map((blocks) => doc(...blocks)),
})).doc

test('the service stores the HTML of any note unchanged', () => {
  fc.assert(
    fc.property(anyDoc, (note) => {
      note.check()
      const html = serializeNote(note)
      expect(sanitizeHtml(html)).toBe(html)
    }),
  )
})
