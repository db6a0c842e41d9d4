import { compactText } from '../folded-text.ts'

const YES = new Set(['1', 'x', 'y', 's', 't', 'yes', 'sim', 'true', 'verdadeiro', 'on'])
const NO = new Set(['0', 'n', 'f', 'no', 'nao', 'false', 'falso', 'off'])

/** Reads `yes`, `sim`, `true`, `1`, `x`, `✓` and their opposites, in any case. Undefined for another text. */
export function readBoolean(cell: string): boolean | undefined {
  if (/^[✓✔☑]\ufe0f?$/u.test(cell.trim())) return true
  const text = compactText(cell)
  return YES.has(text) ? true : NO.has(text) ? false : undefined
}
