import type { Mark, Node } from 'prosemirror-model'
import { type Command, type EditorState, Plugin, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { isMentionHref } from '../show-mentions.ts'
import { noteSchema } from './note-schema.ts'

/** A member who is to be mentioned, as far as it is typed. */
export interface TypedMention {
  /** The position of the `@`. */
  readonly from: number
  readonly to: number
  /** What follows the `@`. */
  readonly text: string
}

/** After the last `@` that begins a word. Names have spaces. */
const TYPED = /(?:^|\s)@((?:\S(?:(?!\s@).){0,59})?)$/

/** The mention that is typed before the cursor; undefined elsewhere, and within a link. */
export function findTypedMention({ doc, selection }: EditorState): TypedMention | undefined {
  const { $from, empty } = selection
  if (!empty || !$from.parent.inlineContent) return undefined
  const text = TYPED.exec($from.parent.textBetween(0, $from.parentOffset, '\n', '\n'))?.[1]
  if (text === undefined) return undefined
  const [from, to] = [$from.pos - text.length - 1, $from.pos]
  return doc.rangeHasMark(from, to, noteSchema.marks.link) ? undefined : { from, to, text }
}

/** Replaces what is typed by a mention, with a space after it. */
export function insertMention(
  state: EditorState,
  { from, to }: Pick<TypedMention, 'from' | 'to'>,
  { name, href }: { readonly name: string; readonly href: string },
): Transaction {
  const mention = noteSchema.text(`@${name}`, [noteSchema.marks.link.create({ href })])
  const isSpaceNext = /^\s/.test(state.doc.textBetween(to, Math.min(to + 1, state.doc.content.size)))
  const tr = state.tr.replaceWith(from, to, isSpaceNext ? mention : [mention, noteSchema.text(' ')])
  return tr.scrollIntoView()
}

/** Types an `@` at the cursor, after a space. */
export function beginMention({ state, dispatch }: EditorView): void {
  const { $from } = state.selection
  const isWordBefore = /\S$/.test($from.parent.textBetween(0, $from.parentOffset, '\n', '\n'))
  dispatch(state.tr.insertText(isWordBefore ? ' @' : '@').scrollIntoView())
}

/** Deletes the mention that ends at the cursor as a whole. */
export function deleteMention(issuer: string): Command {
  return ({ selection: { $from, empty }, tr }, dispatch) => {
    const mention = $from.nodeBefore && findMention($from.nodeBefore, issuer)
    if (!empty || !mention || mention.isInSet($from.nodeAfter?.marks ?? [])) return false
    let start = $from.pos
    // Text of several formats is several nodes.
    for (let index = $from.index() - 1; index >= 0; index -= 1) {
      const node = $from.parent.child(index)
      if (!mention.isInSet(node.marks)) break
      start -= node.nodeSize
    }
    dispatch?.(tr.delete(start, $from.pos).scrollIntoView())
    return true
  }
}

/** Draws mentions as such. */
export function decorateMentions(issuer: string, className: string): Plugin {
  return new Plugin({
    props: {
      decorations({ doc }) {
        const found: Decoration[] = []
        doc.descendants((node, position) => {
          if (findMention(node, issuer))
            found.push(Decoration.inline(position, position + node.nodeSize, { class: className }))
        })
        return DecorationSet.create(doc, found)
      },
    },
  })
}

function findMention(node: Node, issuer: string): Mark | undefined {
  const link = noteSchema.marks.link.isInSet(node.marks)
  return link && isMentionHref(String(link.attrs['href']), issuer) ? link : undefined
}
