/** Modulo 11, under weights that rise from 2 at the last character and begin again after so many. A letter counts by its place in ASCII, from `0` on. */
export function checkDigit(text: string, weights: number): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) {
    sum += (text.charCodeAt(index) - 48) * (2 + ((text.length - 1 - index) % weights))
  }
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}
