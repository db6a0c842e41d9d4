/** Lowers the first letter of a word inside a sentence, except of abbreviations such as CPF. */
export function lowerFirst(label: string): string {
  return /^\p{Lu}(?!\p{Lu})/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}
