import { cloneElement } from 'preact'
import { useState } from 'preact/hooks'
import { Menu, type MenuProps } from './menu.tsx'

/** A menu that is built when it first opens, for the rows of long lists, whose buttons are shown sooner. */
export function LazyMenu({ trigger, open, onOpenChange, ...menu }: MenuProps) {
  const [isBuilt, setIsBuilt] = useState(false)
  const [isOwnOpen, setIsOwnOpen] = useState(false)
  const isOpen = open ?? isOwnOpen
  const setIsOpen = (isWanted: boolean) => {
    setIsBuilt(true)
    setIsOwnOpen(isWanted)
    onOpenChange?.(isWanted)
  }
  if (!isBuilt && !isOpen)
    return cloneElement(trigger, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onClick: () => setIsOpen(true),
    })
  return <Menu {...menu} trigger={trigger} open={isOpen} onOpenChange={setIsOpen} />
}
