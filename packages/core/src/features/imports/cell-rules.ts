import { CNPJ_RULE } from '../custom-fields/cnpj.ts'
import { CPF_RULE } from '../custom-fields/cpf.ts'

/** Tells programs which rule a cell breaks, and so what may be done about it. */
export const PROBLEM_CODES = [
  'unknown_owner',
  'unknown_pipeline',
  'unknown_stage',
  'unknown_status',
  'unknown_type',
  'unknown_option',
  'unknown_currency',
  'unknown_field',
  'unknown_record',
  'invalid_number',
  'invalid_amount',
  'invalid_date',
  'invalid_boolean',
  'invalid_url',
  'invalid_email',
  'invalid_phone',
  'invalid_cpf',
  'invalid_cnpj',
  /** An earlier row has the same value. */
  'repeated',
  /** Another record has the value, which is unique. */
  'taken',
  'forbidden',
  /** Any other rule of the API. */
  'invalid_value',
] as const

export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** A rule that cells break. */
export interface CellRule {
  readonly code: ProblemCode
  readonly message: string
}

export const CELL_RULES = {
  owner: { code: 'unknown_owner', message: 'No member of that name or address.' },
  pipeline: { code: 'unknown_pipeline', message: 'No pipeline of that name.' },
  stage: { code: 'unknown_stage', message: 'No stage of that name.' },
  status: { code: 'unknown_status', message: 'Is neither open, won nor lost.' },
  taskType: { code: 'unknown_type', message: 'No task type of that name.' },
  option: { code: 'unknown_option', message: 'Is none of the options.' },
  currency: { code: 'unknown_currency', message: 'Is no currency, such as BRL.' },
  customField: { code: 'unknown_field', message: 'Custom field not found.' },
  record: { code: 'unknown_record', message: 'No such record here.' },
  number: { code: 'invalid_number', message: 'Is no number.' },
  amount: { code: 'invalid_amount', message: 'Is no amount.' },
  date: { code: 'invalid_date', message: 'Is no date.' },
  boolean: { code: 'invalid_boolean', message: 'Is neither yes nor no.' },
  url: { code: 'invalid_url', message: 'Is no web address.' },
  email: { code: 'invalid_email', message: 'Is no e-mail address.' },
  phone: { code: 'invalid_phone', message: 'Is no phone number.' },
  cpf: { code: 'invalid_cpf', message: CPF_RULE },
  cnpj: { code: 'invalid_cnpj', message: CNPJ_RULE },
  repeated: { code: 'repeated', message: 'Is in an earlier row too: that one counts.' },
} as const satisfies Readonly<Record<string, CellRule>>
