/**
 * Computes a modulo 11 check digit. The weights rise from 2 at the last character and start again after
 * `weightCount` characters. The value of a letter is its distance from `0` in ASCII.
 */
export function computeCheckDigit(text: string, weightCount: number): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) {
    sum += (text.charCodeAt(index) - 48) * (2 + ((text.length - 1 - index) % weightCount))
  }
  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}
