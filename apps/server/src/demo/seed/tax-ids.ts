import type { RandomSource } from './random-source.ts'

const LETTERS = 'ABCDEGHJKLMNPRSTVWXYZ'
const DIGITS = '0123456789'

/**
 * Generates a CPF with valid check digits, which may belong to someone by chance. The first two digits
 * differ, because a CPF of eleven equal digits is invalid.
 */
export function cpf(random: RandomSource): string {
  const first = random.integerBetween(0, 9)
  const second = (first + random.integerBetween(1, 9)) % 10
  return withCheckDigits(`${first}${second}${randomCharacters(random, DIGITS, 7)}`, 10)
}

/** Generates a CNPJ with valid check digits, some with letters. It may belong to someone by chance. */
export function cnpj(random: RandomSource): string {
  const root = random.chance(0.3)
    ? randomCharacters(random, `${DIGITS}${LETTERS}`, 8)
    : randomCharacters(random, DIGITS, 8)
  return withCheckDigits(`${root}0001`, 8)
}

function randomCharacters(random: RandomSource, alphabet: string, count: number): string {
  let text = ''
  for (let index = 0; index < count; index += 1)
    text += alphabet[random.integerBetween(0, alphabet.length - 1)]
  return text
}

/** Appends both check digits. @param weights number of weights before they repeat */
function withCheckDigits(base: string, weights: number): string {
  const first = `${base}${checkDigit(base, weights)}`
  return `${first}${checkDigit(first, weights)}`
}

/**
 * Computes modulo 11, with weights that rise from 2 at the last character. Characters count by distance from
 * `0`.
 */
function checkDigit(text: string, weights: number): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) {
    sum += (text.charCodeAt(index) - 48) * (2 + ((text.length - 1 - index) % weights))
  }
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}
