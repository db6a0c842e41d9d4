import type { Crm } from '@sales-crm/core'

/** The input of a use-case of the operator. */
export type OperatorInput<Name extends keyof Crm['operator']> = Crm['operator'][Name] extends (
  input: infer Input,
) => unknown
  ? Input
  : never
