export interface Element {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Element[]
  text: string
}

const TOKEN =
  /<!doctype html>|<\/(?<end>[a-z0-9]+)>|<(?<start>[a-z0-9]+)(?<attributeText>(?: [a-zA-Z-]+(?:="[^"<>]*")?)*)(?<selfClosing>\/?)>|(?<text>[^<>]+)/y
const VOID = new Set(['input', 'link', 'meta'])
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/**
 * Returns the elements of a page in document order. @throws Error for markup that browsers tolerate:
 * unescaped text, unclosed elements, unquoted or duplicate attributes
 */
export function elementsOf(page: object | string): Element[] {
  const html = String(page)
  const root: Element = { tag: '', attributes: new Map(), children: [], text: '' }
  const [open, all]: [Element[], Element[]] = [[root], []]
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < html.length; ) {
    const at = TOKEN.lastIndex
    const {
      start,
      end,
      attributeText = '',
      selfClosing,
      text,
    } = TOKEN.exec(html)?.groups ?? fail(`Not markup: ${html.slice(at, at + 60)}`)
    if (text !== undefined) for (const element of open) element.text += decodeEntities(text)
    if (end !== undefined && open.pop()?.tag !== end) fail(`</${end}> has no start tag.`)
    if (start === undefined) continue
    const element = { tag: start, attributes: attributesOf(attributeText), children: [], text: '' }
    all.push(element)
    open.at(-1)?.children.push(element)
    if (!VOID.has(start) && !selfClosing) open.push(element)
  }
  if (open.length > 1) fail(`<${open.at(-1)?.tag}> has no end tag.`)
  return all
}

function attributesOf(attributeText: string): ReadonlyMap<string, string> {
  const pairs = [...attributeText.matchAll(/ ([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(
    ([, name = '', value = '']) => [name, decodeEntities(value)] as const,
  )
  const attributes = new Map(pairs)
  return attributes.size === pairs.length ? attributes : fail(`Duplicate attribute:${attributeText}`)
}

function decodeEntities(text: string): string {
  return text.replace(
    /&([^;]{0,6});?/g,
    (reference, name: string) => CHARACTERS[name] ?? fail(`Unknown character reference: ${reference}`),
  )
}

function fail(message: string): never {
  throw new Error(message)
}
