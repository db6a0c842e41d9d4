export interface Element {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Element[]
  text: string
}

const TOKEN =
  /<!doctype html>|<\/(?<end>[a-z0-9]+)>|<(?<start>[a-z0-9]+)(?<given>(?: [a-zA-Z-]+(?:="[^"<>]*")?)*)(?<closed>\/?)>|(?<text>[^<>]+)/y
const VOID = new Set(['input', 'link', 'meta'])
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The elements of a page, in order. Throws for what a browser would forgive: anything left unescaped, unclosed, unquoted or given twice. */
export function elementsOf(page: object | string): Element[] {
  const html = String(page)
  const root: Element = { tag: '', attributes: new Map(), children: [], text: '' }
  const [open, all]: [Element[], Element[]] = [[root], []]
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < html.length; ) {
    const at = TOKEN.lastIndex
    const {
      start,
      end,
      given = '',
      closed,
      text,
    } = TOKEN.exec(html)?.groups ?? fail(`Not markup: ${html.slice(at, at + 60)}`)
    if (text !== undefined) for (const element of open) element.text += plain(text)
    if (end !== undefined && open.pop()?.tag !== end) fail(`Nothing that </${end}> ends.`)
    if (start === undefined) continue
    const element = { tag: start, attributes: attributesOf(given), children: [], text: '' }
    all.push(element)
    open.at(-1)?.children.push(element)
    if (!VOID.has(start) && !closed) open.push(element)
  }
  if (open.length > 1) fail(`<${open.at(-1)?.tag}> is never ended.`)
  return all
}

function attributesOf(given: string): ReadonlyMap<string, string> {
  const pairs = [...given.matchAll(/ ([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(
    ([, name = '', value = '']) => [name, plain(value)] as const,
  )
  const attributes = new Map(pairs)
  return attributes.size === pairs.length ? attributes : fail(`Given twice:${given}`)
}

function plain(text: string): string {
  return text.replace(
    /&([^;]{0,6});?/g,
    (reference, name: string) => CHARACTERS[name] ?? fail(`No reference: ${reference}`),
  )
}

function fail(message: string): never {
  throw new Error(message)
}
