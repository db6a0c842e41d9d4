import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import type { Kind } from '../records/kinds.ts'
import { Button } from '../ui/button.tsx'
import { showDone, showError } from '../ui/toasts.tsx'
import { useNotificationTexts } from './texts.ts'

interface FollowButtonProps {
  readonly kind: Kind
  readonly id: string
}

/** Follows a record, or stops. */
export function FollowButton({ kind, id }: FollowButtonProps) {
  const { crm, texts: consoleTexts } = useConsole()
  const client = useQueryClient()
  const texts = useNotificationTexts()
  const queryKey = [kind, 'following', id]
  const { data: isFollowing } = useQuery({
    queryKey,
    queryFn: ({ signal }) => crm[kind].isFollowing(id, { signal }),
  })
  async function toggle(): Promise<void> {
    if (isFollowing === undefined) return
    try {
      await (isFollowing ? crm[kind].unfollow(id) : crm[kind].follow(id))
      client.setQueryData(queryKey, !isFollowing)
      showDone(isFollowing ? texts.noLonger : texts.nowFollowing)
    } catch (error) {
      showError(explainError(error, consoleTexts))
    }
  }
  useKeys({ 'Shift+F': () => void toggle() })
  return (
    <Button
      icon={isFollowing ? 'check' : 'bell'}
      aria-pressed={isFollowing ?? false}
      disabled={isFollowing === undefined}
      aria-keyshortcuts="Shift+F"
      title={`${isFollowing ? texts.unfollow : texts.follow} (⇧F)`}
      onClick={() => void toggle()}
    >
      {isFollowing ? texts.following : texts.follow}
    </Button>
  )
}
