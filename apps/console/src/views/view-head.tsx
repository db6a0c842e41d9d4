import type { View } from '@sales-crm/client'
import type { ComponentChildren, ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { useSearchParams } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { useSavedView, useViewParams } from '../app/use-view-params.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { useMenu } from '../reference/queries.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuGroup } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import { NameDialog } from './name-dialog.tsx'
import { useViewTexts } from './texts.ts'
import { useViewChanges } from './use-view-changes.ts'
import styles from './view-head.module.css'
import { isChanged } from './view-params.ts'

const CHIPS = ['owner', 'tag', 'list', 'stage', 'due']
/** The kinds whose records are on lists. */
const LISTED = ['people', 'companies', 'deals'] as const
const AUDIENCES = ['nobody', 'team', 'everyone'] as const

interface ViewHeadProps {
  readonly kind: CreatableKind
  /** What the page shows without a view. */
  readonly title: ComponentChildren
  /** True if the title stays beside the name of a view. */
  readonly keepsTitle?: boolean
}

/** The name of the shown view, what may be done with it, and whether it is saved. */
export function ViewHead({ kind, title, keepsTitle = false }: ViewHeadProps) {
  const { me } = useConsole()
  const texts = useViewTexts()
  const [own] = useSearchParams()
  const { params } = useViewParams()
  const view = useSavedView()
  const changes = useViewChanges(kind)
  const [dialog, setDialog] = useState<'new' | 'name' | 'copy'>()
  const groups = useViewMenu(kind, view, changes, setDialog)
  const hasChips = CHIPS.some((name) => params.has(name))
  const isDirty = view
    ? isChanged(own) || hasChips
    : ['filter', 'sort', 'group'].some((name) => params.has(name))
  const mayChange = view !== undefined && mayChangeView(me, view)
  const save = () => {
    if (!isDirty) return
    if (view && mayChange) void changes.save(view)
    else setDialog('new')
  }
  useKeys({ 'Mod+S': save })
  return (
    <>
      {view && !keepsTitle ? <h1>{view.name}</h1> : title}
      {view && keepsTitle && <strong>{view.name}</strong>}
      {groups.length > 0 && (
        <Menu
          label={texts.menu}
          trigger={
            <Button look="quiet" aria-label={texts.menu}>
              <Icon name="down" />
            </Button>
          }
          groups={groups}
        />
      )}
      {view && view.shared !== 'nobody' && (
        <span class={styles.shared} title={describeSharing(view, texts)}>
          <Icon name="team" small />
          <span class={text.hidden}>{describeSharing(view, texts)}</span>
        </span>
      )}
      {isDirty && (
        <span class={styles.state}>
          {view && <span class={styles.dirty}>{texts.notSaved}</span>}
          {view && mayChange && <Button onClick={save}>{texts.save}</Button>}
          <Button look="quiet" class={text.deskOnly} onClick={() => setDialog('new')}>
            {view ? texts.saveAsNew : texts.saveAsView}
          </Button>
          {view && (
            <Button look="quiet" class={text.deskOnly} onClick={changes.reset}>
              {texts.reset}
            </Button>
          )}
        </span>
      )}
      {dialog && (
        <NameDialog {...describeDialog(dialog, view, changes, texts)} close={() => setDialog(undefined)} />
      )}
    </>
  )
}

function describeDialog(
  dialog: 'new' | 'name' | 'copy',
  view: View | undefined,
  changes: ReturnType<typeof useViewChanges>,
  texts: ReturnType<typeof useViewTexts>,
): Pick<ComponentProps<typeof NameDialog>, 'title' | 'name' | 'save'> {
  if (!view || dialog === 'new') return { title: texts.saveAsView, name: '', save: changes.create }
  const { name } = view
  return dialog === 'copy'
    ? { title: texts.copyOf(name), name, save: (list) => changes.copyIntoList(view, list) }
    : { title: texts.nameOf(name), name, save: (typed) => changes.change(view, { name: typed }) }
}

/** A member changes its own views, owners and admins all that they see. */
function mayChangeView(me: ReturnType<typeof useConsole>['me'], { owner }: View): boolean {
  return isAdmin(me) || owner?.id === me.id
}

function describeSharing({ shared, owner }: View, texts: ReturnType<typeof useViewTexts>): string {
  return shared === 'team' ? texts.sharedByTeam(owner?.name ?? '') : texts.sharedByAll
}

/** The views of the kind, and what the member may do with the shown one. */
function useViewMenu(
  kind: CreatableKind,
  view: View | undefined,
  { open, change, remove }: ReturnType<typeof useViewChanges>,
  ask: (dialog: 'name' | 'copy') => void,
): readonly MenuGroup[] {
  const { me, texts: shared } = useConsole()
  const texts = useViewTexts()
  const views = (useMenu('views').data ?? []).filter((each) => each.kind === kind)
  if (views.length === 0) return []
  const mayChange = view !== undefined && mayChangeView(me, view)
  const isDefault = view?.default_for.includes('member') ?? false
  return [
    {
      title: texts.views,
      actions: [
        {
          label: texts.all(shared.labels[kind]),
          isChecked: view === undefined,
          select: () => open(undefined),
        },
        ...views.map(({ id, name }) => ({
          label: name,
          isChecked: id === view?.id,
          select: () => open(id),
        })),
      ],
    },
    ...(view && LISTED.some((each) => each === kind)
      ? [{ actions: [{ label: texts.copyIntoList, select: () => ask('copy') }] }]
      : []),
    ...(mayChange
      ? [
          {
            title: texts.sharedWith,
            actions: AUDIENCES.map((audience) => ({
              label: texts.audiences[audience],
              isChecked: view.shared === audience,
              select: () => void change(view, { shared: audience }),
            })),
          },
          {
            actions: [
              ...(me.role === 'owner' && view.shared === 'everyone'
                ? [
                    {
                      ...{ label: texts.beginsWith, isChecked: isDefault, isToggle: true },
                      select: () => void change(view, { default_for: isDefault ? [] : ['member'] }),
                    },
                  ]
                : []),
              { label: texts.rename, select: () => ask('name') },
              { label: texts.delete, isRisky: true, select: () => void remove(view) },
            ],
          },
        ]
      : []),
  ]
}
