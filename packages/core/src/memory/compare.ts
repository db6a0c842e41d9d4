/** Null first, numbers by size, text by code point: the order the databases keep. */
export function compare(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b)
}

/** JavaScript orders by UTF-16 unit, which puts the characters beyond U+FFFF before U+E000. */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const [leftUnit, rightUnit] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (leftUnit !== rightUnit) return codePointRank(leftUnit) - codePointRank(rightUnit)
  }
  return a.length - b.length
}

function codePointRank(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff
  return isSurrogate ? unit + 0x10000 : unit
}
