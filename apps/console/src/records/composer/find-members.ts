import { foldText } from '@sales-crm/core/browser'

/** More are found by typing on. */
const MAX_CHOICES = 20

interface NamedMember {
  readonly name: string
  readonly email: string
}

/** The members a word of whose name, or whose address, begins with what is typed, without accents and case. */
export function findMembers<M extends NamedMember>(members: readonly M[], typed: string): readonly M[] {
  const sought = foldText(typed)
  const isMeant = ({ name, email }: M) =>
    ` ${foldText(name)}`.includes(` ${sought}`) || foldText(email).startsWith(sought)
  return members.filter(isMeant).slice(0, MAX_CHOICES)
}
