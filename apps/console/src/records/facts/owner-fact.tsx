import type { Owner } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { canAssign } from '../../app/permissions.ts'
import stage from '../../reference/stage-label.module.css'
import { useMembers } from '../../reference/use-members.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Fact } from './fact.tsx'
import { InlineChoice } from './inline-choice.tsx'

interface OwnerFactProps {
  readonly owner: Owner | null
  readonly choose: (owner: Owner | null) => void
}

export function OwnerFact({ owner, choose }: OwnerFactProps) {
  const { me, texts } = useConsole()
  const members = useMembers()
  const assignable = (members.data ?? []).filter((member) => canAssign(me, member))
  return (
    <Fact label={texts.labels.owner}>
      <InlineChoice
        label={texts.labels.owner}
        display={
          owner ? (
            <span class={stage.stage}>
              <Avatar of={owner} />
              {owner.name}
            </span>
          ) : undefined
        }
        actions={[
          ...assignable.map(({ id, name, email }) => ({
            label: name,
            isChecked: id === owner?.id,
            mark: <Avatar of={{ id, name }} />,
            select: () => choose({ id, name, email }),
          })),
          ...(owner ? [{ label: texts.deals.noOwner, icon: 'x' as const, select: () => choose(null) }] : []),
        ]}
      />
    </Fact>
  )
}
