import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

type TextControl = HTMLInputElement | HTMLTextAreaElement

export interface InlineEditOptions {
  /** What is edited. */
  readonly text: string
  /** Enter begins a line, and Ctrl and Enter save. */
  readonly isMultiline?: boolean | undefined
  /**
   * Saves the text. `reopen` shows a refusal at the field, with what was typed.
   * @returns an error that was found before anything was sent
   */
  readonly save: (typed: string, reopen: (error: string) => void) => string | undefined
}

/** Edits a text where it stands: Enter and leaving save, Esc puts it back. */
export function useInlineEdit({ text, isMultiline = false, save }: InlineEditOptions) {
  const [draft, setDraft] = useState<string>()
  const [error, setError] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const control = useRef<TextControl>(null)
  // The field loses the focus when it is removed, which must not save it.
  const isOpen = useRef(false)
  const takesFocus = useRef(true)
  useLayoutEffect(() => {
    if (takesFocus.current) focusEnd(control)
  }, [draft === undefined, error])

  // Nor when the page goes, if the text was refused: it would be sent again.
  const isRefused = useRef(false)
  isRefused.current = error !== undefined
  useLayoutEffect(
    () => () => {
      if (isRefused.current) isOpen.current = false
    },
    [],
  )

  function show(typed: string, words?: string): void {
    isOpen.current = true
    takesFocus.current = true
    setDraft(typed)
    setError(words)
  }
  /** Shows a refusal, which may come while something else is typed. */
  function reopen(typed: string, words: string): void {
    const { activeElement } = document
    const isFree = activeElement === document.body || activeElement === button.current
    // Where it is edited again, what is typed now stays.
    if (isOpen.current) setError(words)
    else show(typed, words)
    takesFocus.current = isFree
  }
  function close(): void {
    isOpen.current = false
    setDraft(undefined)
    setError(undefined)
  }
  function submit(): void {
    if (!isOpen.current || draft === undefined) return
    close()
    const found = draft === text ? undefined : save(draft, (words) => reopen(draft, words))
    if (found !== undefined) show(draft, found)
  }
  function handleKey(event: KeyboardEvent): void {
    const saves = event.key === 'Enter' && (!isMultiline || event.ctrlKey || event.metaKey)
    if (!saves && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (saves) submit()
    else close()
    // After the button is there again.
    requestAnimationFrame(() => button.current?.focus())
  }
  return {
    isEditing: draft !== undefined,
    error,
    open: () => show(text),
    /** Of the button that opens the field. */
    button,
    control: {
      ref: (element: TextControl | null) => {
        control.current = element
      },
      value: draft ?? '',
      change: setDraft,
      onKeyDown: handleKey,
      onBlur: submit,
    },
  }
}

/** Focuses a field, with the caret at the end of its text. */
function focusEnd({ current }: RefObject<TextControl | null>): void {
  current?.focus()
  if (current?.type === 'text' || current?.type === 'textarea')
    current.setSelectionRange(current.value.length, current.value.length)
}
