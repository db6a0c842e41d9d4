import { isHttpUrl } from '../../../kernel/http-url.ts'

/** Reads the address of a page, with `https://` if its scheme is missing. Undefined for another text. */
export function readUrl(cell: string): string | undefined {
  const text = cell.trim()
  const url = /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?::\d+)?(?:[/?#].*)?$/u.test(text) ? `https://${text}` : text
  return isHttpUrl(url) ? url : undefined
}
