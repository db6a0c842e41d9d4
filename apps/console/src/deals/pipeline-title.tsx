import type { Pipeline } from '@sales-crm/client'
import { useLocation } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { useMenu } from '../reference/queries.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import styles from './pipeline-title.module.css'

/** The name of the shown pipeline; its menu chooses another one. */
export function PipelineTitle({ pipeline }: { readonly pipeline: Pipeline | undefined }) {
  const { me, texts } = useConsole()
  const pipelines = useMenu('pipelines')
  const { set } = useViewParams()
  const [, navigate] = useLocation()
  return (
    <h1>
      <Menu
        label={texts.nav.pipelines}
        trigger={
          <Button look="quiet" class={styles.title}>
            {pipeline?.name ?? texts.labels.deals}
            <Icon name="down" />
          </Button>
        }
        groups={[
          {
            title: texts.nav.pipelines,
            actions: (pipelines.data ?? []).map(({ id, name }) => ({
              label: name,
              isChecked: id === pipeline?.id,
              select: () => set({ pipeline: id }),
            })),
          },
          {
            actions: isAdmin(me)
              ? [
                  {
                    label: texts.nav.settings,
                    icon: 'gear',
                    select: () => navigate(`/settings/pipelines/${pipeline?.id ?? ''}`),
                  },
                ]
              : [],
          },
        ]}
      />
    </h1>
  )
}
