import { en } from '../texts/en.ts'
import { ptBr } from '../texts/pt-br.ts'
import type { ItemNotation } from './item-columns.ts'
import { itemTexts } from './texts.ts'

export const EN: ItemNotation = { currency: 'EUR', locale: 'en', texts: en, itemTexts: itemTexts('en') }
export const PT: ItemNotation = {
  currency: 'BRL',
  locale: 'pt-BR',
  texts: ptBr,
  itemTexts: itemTexts('pt-BR'),
}
