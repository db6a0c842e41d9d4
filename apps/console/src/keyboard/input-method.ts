/** The `keyCode` of every key that an input method takes. Safari sends the last one after the composition has ended. */
const INPUT_METHOD_KEY = 229

/** True for a key that belongs to an input method, which composes a text of several keys, such as Japanese. */
export function isInputMethodKey({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === INPUT_METHOD_KEY
}

/** Keeps the keys of input methods from everything on the page: there, Enter takes a word and Esc drops it. */
export function reserveInputMethodKeys(): void {
  window.addEventListener('keydown', (event) => isInputMethodKey(event) && event.stopPropagation(), {
    capture: true,
  })
}
