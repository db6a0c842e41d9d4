import { en, type Texts } from './en.ts'

export const ptBr: Texts = { ...en, language: 'pt-BR' }
