import { Link, useLocation } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { canImport } from '../import/can-import.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { Button, buttonStyles, IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import { useExport } from './use-export.ts'

interface TableActionsProps {
  readonly kind: CreatableKind
  /** The filters and the order of the list. */
  readonly exported: object
  /** The names of the fields that the table shows; undefined for a board. */
  readonly fields?: readonly string[]
}

/** Export and import of a list: beside each other, or on a phone in a menu. */
export function TableActions({ kind, exported, fields }: TableActionsProps) {
  const { me, texts } = useConsole()
  const [, navigate] = useLocation()
  const { isBusy, run } = useExport(kind, exported)
  const { exports, imports } = texts
  const label = texts.labels[kind]
  const button = (
    <Button
      icon="download"
      class={text.deskOnly}
      aria-label={exports.label(label)}
      aria-busy={isBusy}
      {...(!fields && { onClick: () => run() })}
    >
      {isBusy ? exports.making : exports.csv}
    </Button>
  )
  return (
    <>
      {fields ? (
        <Menu
          trigger={button}
          align="end"
          groups={[
            {
              actions: [
                { label: exports.shownColumns, select: () => run(fields) },
                { label: exports.allFields, select: () => run() },
              ],
            },
          ]}
        />
      ) : (
        button
      )}
      <ImportLink kind={kind} class={text.deskOnly} />
      <Menu
        trigger={<IconButton icon="dots" class={text.phoneOnly} label={texts.actions.moreActions} />}
        align="end"
        groups={[
          {
            actions: [
              { label: exports.label(label), icon: 'download', select: () => run() },
              ...(canImport(me)
                ? [
                    {
                      label: imports.into(label),
                      icon: 'upload' as const,
                      select: () => navigate(importPath(kind)),
                    },
                  ]
                : []),
            ],
          },
        ]}
      />
    </>
  )
}

interface ImportLinkProps extends Pick<TableActionsProps, 'kind'> {
  readonly class?: string | undefined
}

/** Leads to the import, with the kind as that of the rows. */
export function ImportLink({ kind, class: className }: ImportLinkProps) {
  const { me, texts } = useConsole()
  if (!canImport(me)) return null
  return (
    <Link
      class={classNames(buttonStyles['button'], className)}
      href={importPath(kind)}
      aria-label={texts.imports.into(texts.labels[kind])}
    >
      <Icon name="upload" />
      {texts.imports.import}
    </Link>
  )
}

function importPath(kind: CreatableKind): string {
  return `/import?kind=${kind}`
}
