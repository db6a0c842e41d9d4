import type { FollowedRecord } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { areSingleKeysOn, useKeys } from '../keyboard/use-keys.ts'
import { Button } from '../ui/button.tsx'
import { useNotificationTexts } from './texts.ts'
import { followingKey, useFollow } from './use-follow.ts'

interface FollowButtonProps {
  readonly kind: FollowedRecord['kind']
  readonly id: string
}

/** Follows a record, or stops, also by a key on its page or in its dialog. */
export function FollowButton({ kind, id }: FollowButtonProps) {
  const { crm } = useConsole()
  const texts = useNotificationTexts()
  const follow = useFollow(kind, id)
  const { data: isFollowing } = useQuery({
    queryKey: followingKey(kind, id),
    queryFn: ({ signal }) => crm[kind].isFollowing(id, { signal }),
  })
  const toggle = () => {
    if (isFollowing !== undefined) void follow(!isFollowing)
  }
  useKeys({ 'Shift+F': toggle })
  const button = useDialogKey(toggle)
  return (
    <Button
      ref={button}
      icon={isFollowing ? 'check' : 'bell'}
      aria-pressed={isFollowing ?? false}
      disabled={isFollowing === undefined}
      aria-keyshortcuts="Shift+F"
      title={`${isFollowing ? texts.unfollow : texts.follow} (⇧F)`}
      onClick={toggle}
    >
      {isFollowing ? texts.following : texts.follow}
    </Button>
  )
}

/** Binds the key in the dialog that the button is in: the keys of pages are silent there. */
function useDialogKey(toggle: () => void) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(toggle)
  latest.current = toggle
  useEffect(() => {
    const dialog = button.current?.closest<HTMLElement>('[role=dialog]')
    if (!dialog) return
    const handleKey = (event: KeyboardEvent) => {
      const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event
      if (key !== 'F' || !shiftKey || ctrlKey || metaKey || altKey || !areSingleKeysOn()) return
      if ((target as Element).closest('input:not([type=checkbox]), textarea, select')) return
      event.preventDefault()
      latest.current()
    }
    dialog.addEventListener('keydown', handleKey)
    return () => dialog.removeEventListener('keydown', handleKey)
  }, [])
  return button
}
