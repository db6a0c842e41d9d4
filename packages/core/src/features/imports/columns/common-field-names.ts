import { compactText } from '../folded-text.ts'

/** Usual names of columns, in English and Portuguese. */
export interface NameRank {
  readonly names: ReadonlySet<string>
  /** True for names that mean the field only in files of its kind, such as `Name`. */
  readonly isOwn: boolean
}

/** By field: the exact names before those that may mean more. */
export type FieldNames = Readonly<Record<string, readonly NameRank[]>>

export const match = (...names: readonly string[]): NameRank => ({
  names: new Set(names.map(compactText)),
  isOwn: false,
})
export const matchOwn = (...names: readonly string[]): NameRank => ({ ...match(...names), isOwn: true })

export const ID: FieldNames = {
  external_id: [
    matchOwn('external id', 'id externo', 'código externo'),
    matchOwn(
      'record id',
      'id',
      'ids',
      'record id contact',
      'record id company',
      'record id deal',
      'system id',
    ),
  ],
}
export const CREATED: FieldNames = {
  created_at: [
    matchOwn(
      'created at',
      'created',
      'created on',
      'created date',
      'create date',
      'creation date',
      'date created',
    ),
    matchOwn(
      'created time',
      'date added',
      'add time',
      'criado em',
      'criada em',
      'data de criação',
      'data criação',
    ),
    matchOwn('data de cadastro', 'data do cadastro', 'cadastrado em', 'cadastro'),
  ],
}
export const OWNER: FieldNames = {
  owner_email: [
    matchOwn('owner email', 'record owner email', 'owner e-mail address', 'e-mail do responsável'),
    matchOwn('owner', 'record owner', 'responsável', 'proprietário', 'dono', 'sales owner'),
    matchOwn('assignee', 'assigned to', 'sales rep', 'salesperson', 'vendedor', 'atribuído a', 'owner name'),
  ],
}
const SETS: FieldNames = {
  tags: [
    matchOwn('tags', 'tag', 'etiquetas', 'etiqueta', 'marcadores'),
    matchOwn('labels', 'label', 'group membership', 'groups'),
    matchOwn('categories', 'categorias'),
  ],
  lists: [matchOwn('lists', 'list', 'listas', 'lista')],
}
export const COMMON: FieldNames = { ...ID, ...CREATED, ...OWNER, ...SETS }
