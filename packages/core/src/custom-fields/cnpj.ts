const FORM = /^(?:[0-9A-Z]{12}\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2})$/i

/**
 * The fourteen characters of a CNPJ, letters in upper case, written bare or as `12.ABC.345/01DE-35`. `undefined` when its check
 * digits are wrong. One of digits alone is the older form of the same.
 */
export function cnpjOf(text: string): string | undefined {
  const written = text.trim()
  if (!FORM.test(written)) return undefined
  const characters = written.replace(/[./-]/g, '').toUpperCase()
  // Its check digits are right, but no company has it.
  if (characters === '00000000000000') return undefined
  const base = characters.slice(0, 12)
  const first = `${base}${checkDigit(base)}`
  return characters === `${first}${checkDigit(first)}` ? characters : undefined
}

/** Modulo 11, under weights that rise from 2 at the last character and begin again after 9. A character counts from `0` in ASCII. */
function checkDigit(characters: string): number {
  let sum = 0
  for (let index = 0; index < characters.length; index += 1) {
    sum += (characters.charCodeAt(index) - 48) * (2 + ((characters.length - 1 - index) % 8))
  }
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}
