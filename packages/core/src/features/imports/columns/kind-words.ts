import { type ImportKind, isCustomKind } from './import-kind.ts'

const WORDS: Readonly<Record<string, ImportKind>> = {
  ...{
    person: 'people',
    people: 'people',
    pessoa: 'people',
    contact: 'people',
    contato: 'people',
    lead: 'people',
  },
  ...{ company: 'companies', organization: 'companies', organisation: 'companies', account: 'companies' },
  ...{ empresa: 'companies', organizacao: 'companies', conta: 'companies' },
  ...{ deal: 'deals', negocio: 'deals', opportunity: 'deals', oportunidade: 'deals' },
  ...{ product: 'products', produto: 'products', task: 'tasks', tarefa: 'tasks' },
  ...{ activity: 'activities', atividade: 'activities' },
}

/** A name of a column with the kind that it is about. */
export interface KindName {
  readonly kind: ImportKind
  /** The folded name without the kind. */
  readonly rest: string
}

/**
 * Finds the kind of which a folded name says that it is a column: `deal title`, `e mail da empresa`. Other kinds than
 * people, companies and deals have to be separated from the rest, as in `Product - Name`.
 */
export function splitKind(name: string, header: string): KindName | undefined {
  const words = name.replace(/^(?:primary )?associated /, '').split(' ')
  const first = WORDS[words[0]!]
  const isSeparate = /^\p{L}+ +-/u.test(header.trim())
  if (first && words.length > 1 && (isSeparate || isCustomKind(first)))
    return { kind: first, rest: words.slice(1).join(' ') }
  const last = WORDS[words.at(-1)!]
  const isOf = /^(?:do|da|de|of)$/.test(words.at(-2) ?? '')
  return last && isOf && isCustomKind(last) && words.length > 2
    ? { kind: last, rest: words.slice(0, -2).join(' ') }
    : undefined
}
