import type { RuledKind } from '@sales-crm/core/browser'
import { useConsole } from '../app/console-context.ts'
import { useMenu } from '../reference/queries.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import styles from './sharing.module.css'
import { useSharingTexts } from './texts.ts'
import { useViewers } from './use-shares.ts'

const MAX_FACES = 3

interface ShareButtonProps {
  readonly kind: RuledKind
  readonly id: string
  readonly open: () => void
}

/** Says how many see a record, where not everyone does. */
export function ShareButton({ kind, id, open }: ShareButtonProps) {
  const { workspace } = useConsole()
  return workspace.visibility[kind] === 'everyone' ? null : <Viewers kind={kind} id={id} open={open} />
}

function Viewers({ kind, id, open }: ShareButtonProps) {
  const texts = useSharingTexts()
  const members = useMenu('members').data ?? []
  const viewers = useViewers(kind, id).data
  const faces = (viewers ?? [])
    .slice(0, MAX_FACES)
    .flatMap(({ member_id }) => members.find((member) => member.id === member_id) ?? [])
  return (
    <Button icon={viewers ? undefined : 'eye'} aria-haspopup="dialog" onClick={open}>
      <span class={styles.faces}>
        {faces.map((member) => (
          <Avatar key={member.id} of={member} label="" />
        ))}
      </span>
      {viewers ? texts.seeIt(viewers.length) : texts.share}
    </Button>
  )
}
