const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Each is followed by a value. */
const VALUE_OPENERS = new Set([COMMA, OPEN_LIST, OPEN_OBJECT])

/** Counts values, up to one more than `maxValues`, and the names in objects, without parsing. */
export function countTokens(
  bytes: Uint8Array,
  maxValues: number,
): { readonly values: number; readonly names: number } {
  let [values, names] = [1, 0]
  for (let at = 0; at < bytes.length && values <= maxValues; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = findStringEnd(bytes, at)
    else if (byte === COLON) names += 1
    else if (VALUE_OPENERS.has(byte)) values += 1
  }
  return { values, names }
}

/** An object or list around the present value. */
interface Level {
  readonly path: string
  /** Undefined in a list. */
  readonly names: Set<string> | undefined
  index: number
  name: string
}

/** Returns the path of the first name that an object of valid JSON repeats; `undefined` if there is none. */
export function findRepeatedName(bytes: Uint8Array): string | undefined {
  const levels: Level[] = []
  let lastString = ''
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    const level = levels.at(-1)
    if (byte === QUOTE) {
      const end = findStringEnd(bytes, at)
      if (level?.names && isBeforeColon(bytes, end)) lastString = decodeString(bytes.subarray(at, end + 1))
      at = end
    } else if (byte === COLON && level?.names) {
      level.name = lastString
      if (level.names.has(lastString)) return pathOf(level)
      level.names.add(lastString)
    } else if (byte === COMMA && level) level.index += 1
    else if (byte === OPEN_OBJECT) levels.push({ path: pathOf(level), names: new Set(), index: 0, name: '' })
    else if (byte === OPEN_LIST) levels.push({ path: pathOf(level), names: undefined, index: 0, name: '' })
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) levels.pop()
  }
  return undefined
}

function pathOf(level: Level | undefined): string {
  if (!level) return ''
  const { path, names, index, name } = level
  if (!names) return `${path}[${index}]`
  return path === '' ? name : `${path}.${name}`
}

/** Only names are decoded: values may be large. */
function isBeforeColon(bytes: Uint8Array, stringEnd: number): boolean {
  let at = stringEnd + 1
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at += 1
  return bytes[at] === COLON
}

function decodeString(bytes: Uint8Array): string {
  return JSON.parse(new TextDecoder().decode(bytes)) as string
}

/** The index of the string's closing quote: the first unescaped one. */
function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}
