import { type Deal, type Person, type RecordRule, validationError } from '@sales-crm/core'

/** A person can be reached: by e-mail or by phone. */
export const requireContact: RecordRule<Person> = ({ after }) => {
  if (after.emails.length + after.phones.length === 0)
    throw validationError({ emails: 'An e-mail address or a phone number is required.' })
}

/** A deal is won with a customer: a person or a company. */
export const requireCustomer: RecordRule<Deal> = async ({ after }, { stores }) => {
  if (after.person_id ?? after.company_id) return
  const stage = await stores.stages.get(after.stage_id)
  if (stage?.type === 'win') throw validationError({ person_id: 'A won deal needs a person or a company.' })
}
