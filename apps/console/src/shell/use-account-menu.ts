import { isAdmin, useConsole } from '../app/console-context.ts'
import { otherTabs } from '../cache/other-tabs.ts'
import { deleteDrafts } from '../create/draft-storage.ts'
import { useNotificationTexts } from '../notifications/texts.ts'
import { useUnreadCount } from '../notifications/use-notifications.ts'
import { BASE_PATH } from '../session/page-settings.ts'
import type { MenuGroup } from '../ui/menu.tsx'
import { useShell } from './shell-context.ts'

/** The member's own pages. */
export function useAccountMenu(): readonly MenuGroup[] {
  const { me, workspace, texts } = useConsole()
  const { openNotifications } = useShell()
  const notifications = useNotificationTexts()
  const unread = useUnreadCount()
  const go = (path: string) => () => location.assign(`${BASE_PATH}${path}`)
  return [
    {
      title: me.email,
      actions: [
        {
          label: notifications.title,
          icon: 'bell',
          after: unread > 0 ? notifications.unread(unread) : undefined,
          select: openNotifications,
        },
        { label: texts.nav.account, icon: 'person', select: go('/account') },
        ...(isAdmin(me)
          ? [
              {
                label: texts.nav.members,
                icon: 'team' as const,
                select: go(`/w/${workspace.slug}/settings/members`),
              },
            ]
          : []),
        { label: texts.nav.signOut, icon: 'right', select: () => void signOut() },
      ],
    },
  ]
}

/** Forgets what was not saved, and sends the form that the service has put into the page. */
async function signOut(): Promise<void> {
  const form = document.getElementById('sign-out')
  if (!(form instanceof HTMLFormElement)) return
  deleteDrafts()
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form)) fields.append(name, String(value))
  const response = await fetch(form.action, { method: 'POST', body: fields }).catch(() => undefined)
  // The service explains on a page why it did not sign out.
  if (!response?.ok) return form.submit()
  otherTabs()?.announceSignOut()
  location.assign(response.url)
}

/** The workspaces that the member belongs to. */
export function useWorkspaceMenu(): readonly MenuGroup[] {
  const { me, workspace, texts } = useConsole()
  return [
    {
      title: texts.nav.workspaces,
      actions: me.workspaces.map(({ name, slug }) => ({
        label: name,
        isChecked: slug === workspace.slug,
        // Another workspace has other tokens and other records: the page is loaded anew.
        select: () => location.assign(`${BASE_PATH}/w/${slug}/`),
      })),
    },
  ]
}
