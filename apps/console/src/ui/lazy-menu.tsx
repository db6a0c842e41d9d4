import { cloneElement } from 'preact'
import { useState } from 'preact/hooks'
import { Menu, type MenuGroup, type MenuProps } from './menu.tsx'

interface LazyMenuProps extends Omit<MenuProps, 'groups'> {
  readonly groups: () => readonly MenuGroup[]
}

/** A menu that is built when it first opens, for the rows of long lists, whose buttons are shown sooner. */
export function LazyMenu({ trigger, open, onOpenChange, groups, ...menu }: LazyMenuProps) {
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
  return <Menu {...menu} groups={groups()} trigger={trigger} open={isOpen} onOpenChange={setIsOpen} />
}
