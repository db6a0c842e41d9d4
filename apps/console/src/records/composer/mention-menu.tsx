import { useEffect, useId, useLayoutEffect, useState } from 'preact/hooks'
import type { EditorView } from 'prosemirror-view'
import { ISSUER } from '../../session/page-settings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Highlighted } from '../../ui/highlighted.tsx'
import menu from '../../ui/menu.module.css'
import { useMedia } from '../../ui/use-media.ts'
import styles from './mention-menu.module.css'
import { useMentionTexts } from './mention-texts.ts'
import { findTypedMention, insertMention } from './note-mentions.ts'
import { placeMenu, useViewportChanges } from './place-menu.ts'
import { type MentionChoice, type NoteSubject, useMentionChoices } from './use-mention-choices.ts'

interface MentionMenuProps {
  readonly view: EditorView
  readonly subject: NoteSubject | undefined
  /** What handles the keys of the editor while the menu is open. */
  readonly handleKey: { current: (event: KeyboardEvent) => boolean }
}

/** Offers members after an `@`. The focus stays in the editor, which says which of them is active. */
export function MentionMenu({ view, subject, handleKey }: MentionMenuProps) {
  const texts = useMentionTexts()
  const listId = useId()
  const isNarrow = useMedia('(max-width: 40rem)')
  // The position of the `@` that stays a text.
  const [closedAt, setClosedAt] = useState<number>()
  const [activeId, setActiveId] = useState<string>()
  const typed = view.hasFocus() ? findTypedMention(view.state) : undefined
  const choices = useMentionChoices(typed?.text, subject)
  const isOpen = typed !== undefined && typed.from !== closedAt && choices.length > 0
  const possible = choices.filter(({ canSee }) => canSee).map(({ member }) => member)
  const active = possible.find(({ id }) => id === activeId) ?? possible[0]
  const optionId = (id: string) => `${listId}-${id}`
  const activeOptionId = isOpen && active ? optionId(active.id) : undefined
  useViewportChanges(isOpen)

  useEffect(() => {
    if (!typed) setClosedAt(undefined)
  }, [typed === undefined])
  useLayoutEffect(() => describeMenu(view.dom, isOpen ? listId : undefined, activeOptionId))
  useEffect(() => {
    if (activeOptionId) document.getElementById(activeOptionId)?.scrollIntoView({ block: 'nearest' })
  }, [activeOptionId])

  function take({ id, name }: { readonly id: string; readonly name: string }): void {
    if (typed) view.dispatch(insertMention(view.state, typed, { name, href: `${ISSUER}/members/${id}` }))
    view.focus()
  }
  function handleMenuKey(event: KeyboardEvent): boolean {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (ctrlKey || metaKey || altKey || shiftKey) return false
    if (key === 'Escape') setClosedAt(typed?.from)
    else if (!active) return false
    else if (key === 'Enter' || key === 'Tab') take(active)
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      const step = key === 'ArrowDown' ? 1 : -1
      setActiveId(possible.at((possible.indexOf(active) + step) % possible.length)?.id)
    } else return false
    // Escape would also close what the editor is in.
    event.stopPropagation()
    return true
  }
  useLayoutEffect(() => {
    handleKey.current = isOpen ? handleMenuKey : () => false
  })

  if (!isOpen) return null
  return (
    <div
      class={classNames(menu.float, styles.menu, isNarrow && styles.sheet)}
      style={placeMenu(view.coordsAtPos(typed.from), isNarrow)}
    >
      <p class={menu.title}>{texts.mention}</p>
      {/* A press does not take the focus from the editor. */}
      <div
        id={listId}
        role="listbox"
        tabIndex={-1}
        aria-label={texts.mention}
        onMouseDown={(event) => event.preventDefault()}
      >
        {choices.map((choice) => (
          <Option
            key={choice.member.id}
            id={optionId(choice.member.id)}
            choice={choice}
            sought={typed.text}
            isActive={choice.member.id === active?.id}
            take={() => take(choice.member)}
          />
        ))}
      </div>
      {!isNarrow && (
        <p class={styles.foot}>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> {texts.choose}
          </span>
          <span>
            <kbd>Enter</kbd> {texts.take}
          </span>
          <span>
            <kbd>Esc</kbd> {texts.keepText}
          </span>
        </p>
      )}
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly choice: MentionChoice
  readonly sought: string
  readonly isActive: boolean
  readonly take: () => void
}

function Option({ id, choice: { member, canSee }, sought, isActive, take }: OptionProps) {
  const texts = useMentionTexts()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the editor, which has the focus.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={!canSee}
      class={menu.item}
      data-highlighted={isActive ? '' : undefined}
      data-disabled={canSee ? undefined : ''}
      onClick={canSee ? take : undefined}
    >
      <Avatar of={member} label="" />
      <span class={menu.text}>
        <Highlighted text={member.name} sought={sought} />
      </span>
      <span class={menu.after}>{canSee ? member.email : texts.seesNot}</span>
    </div>
  )
}

/** Tells assistive technology which list the editor has, and which of its options is active. */
function describeMenu(editor: HTMLElement, listId: string | undefined, optionId: string | undefined): void {
  const attributes = {
    'aria-autocomplete': listId && 'list',
    'aria-controls': listId,
    'aria-activedescendant': optionId,
  }
  for (const [name, value] of Object.entries(attributes))
    if (value === undefined) editor.removeAttribute(name)
    else editor.setAttribute(name, value)
}
