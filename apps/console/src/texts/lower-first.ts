/** Lowers the first letter of a label inside a sentence, except of names and abbreviations such as LinkedIn and CPF. */
export function lowerFirst(label: string): string {
  return /^\p{Lu}\p{Ll}*(?:\P{L}|$)/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}
