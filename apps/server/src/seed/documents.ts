import type { Dice } from './dice.ts'

const LETTERS = 'ABCDEGHJKLMNPRSTVWXYZ'
const DIGITS = '0123456789'

/** A CPF with right check digits; whether anybody has it is chance. Its first two digits differ, for eleven equal ones are none. */
export function cpf(dice: Dice): string {
  const first = dice.between(0, 9)
  const second = (first + dice.between(1, 9)) % 10
  return checked(`${first}${second}${characters(dice, DIGITS, 7)}`, 10)
}

/** A CNPJ with right check digits, now and then one of those with letters; whether anybody has it is chance. */
export function cnpj(dice: Dice): string {
  const root = dice.chance(0.3) ? characters(dice, `${DIGITS}${LETTERS}`, 8) : characters(dice, DIGITS, 8)
  return checked(`${root}0001`, 8)
}

function characters(dice: Dice, alphabet: string, count: number): string {
  let text = ''
  for (let index = 0; index < count; index += 1) text += alphabet[dice.between(0, alphabet.length - 1)]
  return text
}

/** With both check digits. Weights begin again after so many. */
function checked(base: string, weights: number): string {
  const first = `${base}${checkDigit(base, weights)}`
  return `${first}${checkDigit(first, weights)}`
}

/** Modulo 11, under weights that rise from 2 at the last character. A letter counts by its place in ASCII, from `0` on. */
function checkDigit(text: string, weights: number): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) {
    sum += (text.charCodeAt(index) - 48) * (2 + ((text.length - 1 - index) % weights))
  }
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}
