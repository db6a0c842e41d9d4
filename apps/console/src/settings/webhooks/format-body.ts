/** Indents JSON. Other text is returned as it is. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
