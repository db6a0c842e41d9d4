import { type FieldTexts, LINK_LISTS, type LinkList, nameOfKind } from '@sales-crm/core/declarations'

const ROLES = { role: 'Role of the person on the deal.', position: 'Position of the person in the company.' }

/** The texts of the entries of lists of links, in responses and in inputs. */
export const LINK_TEXTS: Readonly<Record<string, FieldTexts>> = {
  DealPerson: describeEntry(LINK_LISTS.deals, '; `null` for one that the caller may not see.'),
  PersonCompany: describeEntry(LINK_LISTS.people, '; `null` for one that the caller may not see.'),
  ...describeInputs('deals'),
  ...describeInputs('people'),
}

function describeInputs(kind: keyof typeof LINK_LISTS): Record<string, FieldTexts> {
  const [list, name] = [LINK_LISTS[kind], nameOfKind(kind)]
  return Object.fromEntries(
    [`New${name}`, `${name}Changes`, `New${name}BulkChange.change`].map((input) => [
      `${input}.${list.name}`,
      describeEntry(list, '.'),
    ]),
  )
}

function describeEntry({ id, role, kind }: LinkList, end: string): FieldTexts {
  const noun = nameOfKind(kind).toLowerCase()
  return {
    [id]: `Id of the ${noun}${end}`,
    full_name: `Name of the ${noun}${end}`,
    [role]: ROLES[role],
    main: `True for the main ${noun}.`,
  }
}
