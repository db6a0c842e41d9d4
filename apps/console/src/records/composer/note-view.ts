import { baseKeymap, toggleMark } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { DOMParser, type MarkType, type Node, type NodeType } from 'prosemirror-model'
import { liftListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { type Command, EditorState, Selection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { ISSUER } from '../../session/page-settings.ts'
import mention from '../mention.module.css'
import { decorateMentions, deleteMention } from './note-mentions.ts'
import { isSafeHref, noteSchema, preparePastedHtml } from './note-schema.ts'

const { nodes, marks } = noteSchema

/** The commands of the toolbar. */
export const NOTE_COMMANDS = {
  bold: toggleMark(marks.strong),
  italic: toggleMark(marks.em),
  bulletList: toggleList(nodes.bullet_list),
  orderedList: toggleList(nodes.ordered_list),
} as const satisfies Readonly<Record<string, Command>>

export type NoteCommand = keyof typeof NOTE_COMMANDS

interface NoteViewOptions {
  /** HTML of a note, or lines of text that were typed before there was an editor. */
  readonly begun: { readonly html: string } | { readonly lines: string }
  readonly attributes: Readonly<Record<string, string>>
  readonly onChange: (doc: Node) => void
  /** Called before the keys of the editor. Returns true for a key that needs nothing else. */
  readonly handleKey: (event: KeyboardEvent) => boolean
  /** After each change of the text, the selection or the focus. */
  readonly onUpdate: () => void
  readonly submit: () => void
  readonly cancel: (() => void) | undefined
  readonly addFiles: (files: Iterable<File>) => void
}

/** Creates an editor of a note in an element. */
export function createNoteView(place: HTMLElement, options: NoteViewOptions): EditorView {
  const view = new EditorView(place, {
    state: EditorState.create({
      doc: 'lines' in options.begun ? buildDoc(options.begun.lines) : parseNote(options.begun.html),
      plugins: [
        history(),
        inputRules({ rules: listRules() }),
        keymap(noteKeys(options)),
        keymap(baseKeymap),
        decorateMentions(ISSUER, mention.mention ?? ''),
      ],
    }),
    attributes: { ...options.attributes },
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction))
      if (transaction.docChanged) options.onChange(view.state.doc)
      options.onUpdate()
    },
    handleKeyDown: (_, event) => options.handleKey(event),
    handleDOMEvents: { focus: () => options.onUpdate(), blur: () => options.onUpdate() },
    transformPastedHTML: preparePastedHtml,
    handlePaste: (_, event) => takeFiles(event.clipboardData, options.addFiles),
    // The form takes files that are dropped on it.
    handleDrop: (_, event) => (event.dataTransfer?.files.length ?? 0) > 0,
  })
  view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)))
  return view
}

function parseNote(html: string): Node {
  const { body } = new window.DOMParser().parseFromString(html, 'text/html')
  return DOMParser.fromSchema(noteSchema).parse(body)
}

function buildDoc(lines: string): Node {
  const paragraphs = lines
    .split('\n')
    .map((line) => nodes.paragraph.create(null, line ? noteSchema.text(line) : []))
  return nodes.doc.create(null, paragraphs)
}

function takeFiles(data: DataTransfer | null, addFiles: NoteViewOptions['addFiles']): boolean {
  if (!data || data.files.length === 0) return false
  addFiles(data.files)
  return true
}

function listRules() {
  return [
    wrappingInputRule(/^\s*[-*]\s$/, nodes.bullet_list),
    wrappingInputRule(/^(\d{1,3})[.)]\s$/, nodes.ordered_list, ([, first]) => ({ order: Number(first) })),
  ]
}

function noteKeys({ submit, cancel }: NoteViewOptions): Readonly<Record<string, Command>> {
  const run =
    (action: () => void): Command =>
    () => {
      action()
      return true
    }
  return {
    'Mod-Enter': run(submit),
    ...(cancel && { Escape: run(cancel) }),
    'Mod-b': NOTE_COMMANDS.bold,
    'Mod-i': NOTE_COMMANDS.italic,
    'Mod-z': undo,
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    'Shift-Enter': insertBreak,
    Backspace: deleteMention(ISSUER),
    Enter: splitListItem(nodes.list_item),
  }
}

const insertBreak: Command = ({ tr }, dispatch) => {
  dispatch?.(tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
}

/** Makes a list of the selected paragraphs, or paragraphs of a list. */
function toggleList(type: NodeType): Command {
  return (state, dispatch) =>
    isInNode(state, nodes.list_item)
      ? liftListItem(nodes.list_item)(state, dispatch)
      : wrapInList(type)(state, dispatch)
}

/** True where a command of the toolbar holds at the selection. */
export function isActive(state: EditorState, command: NoteCommand): boolean {
  if (command === 'bold') return hasMark(state, marks.strong)
  if (command === 'italic') return hasMark(state, marks.em)
  return isInNode(state, command === 'bulletList' ? nodes.bullet_list : nodes.ordered_list)
}

export function isInLink(state: EditorState): boolean {
  return hasMark(state, marks.link)
}

/** Makes a link of the selection, or inserts the address as one. Returns false for an address that is none. */
export function addLink(view: EditorView, href: string): boolean {
  if (!isSafeHref(href)) return false
  const { from, to, empty } = view.state.selection
  const mark = marks.link.create({ href })
  const { tr } = view.state
  view.dispatch(
    empty ? tr.replaceSelectionWith(noteSchema.text(href, [mark]), false) : tr.addMark(from, to, mark),
  )
  return true
}

/** Removes the links that the selection touches. */
export function removeLink(view: EditorView): void {
  const { $from, $to, from, to } = view.state.selection
  // A link ends with its text nodes.
  const start =
    from - ($from.nodeBefore && marks.link.isInSet($from.nodeBefore.marks) ? $from.nodeBefore.nodeSize : 0)
  const end = to + ($to.nodeAfter && marks.link.isInSet($to.nodeAfter.marks) ? $to.nodeAfter.nodeSize : 0)
  view.dispatch(view.state.tr.removeMark(start, end, marks.link))
}

function hasMark({ doc, selection, storedMarks }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection
  return empty ? Boolean(type.isInSet(storedMarks ?? $from.marks())) : doc.rangeHasMark(from, to, type)
}

function isInNode({ selection: { $from } }: EditorState, type: NodeType): boolean {
  for (let depth = $from.depth; depth > 0; depth -= 1) if ($from.node(depth).type === type) return true
  return false
}
