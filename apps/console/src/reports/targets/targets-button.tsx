import type { Currency } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { useReportTexts } from '../texts.ts'
import { TargetsDialog } from './targets-dialog.tsx'

/** Opens the targets, for those who may set them. */
export function TargetsButton({ currency }: { readonly currency: Currency }) {
  const { me } = useConsole()
  const { targets } = useReportTexts()
  const [isOpen, setIsOpen] = useState(false)
  if (!isAdmin(me)) return null
  return (
    <>
      <Button icon="target" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {targets.set}
      </Button>
      {isOpen && <TargetsDialog currency={currency} close={() => setIsOpen(false)} />}
    </>
  )
}
