import chip from './chip.module.css'
import { Chip } from './chip.tsx'
import { Menu } from './menu.tsx'

interface FilterOption {
  readonly value: string
  readonly label: string
  readonly colour?: string
}

interface FilterMenuProps {
  readonly label: string
  /** Undefined filters nothing. */
  readonly value: string | undefined
  readonly anyLabel: string
  readonly options: readonly FilterOption[]
  readonly choose: (value: string | undefined) => void
}

/** A chip whose menu chooses one value of a filter. */
export function FilterMenu({ label, value, anyLabel, options, choose }: FilterMenuProps) {
  const chosen = value === undefined ? undefined : options.find((option) => option.value === value)
  return (
    <Menu
      trigger={
        <Chip on={value !== undefined}>
          {value === undefined ? label : `${label}: ${chosen?.label ?? value}`}
        </Chip>
      }
      label={label}
      groups={[
        { actions: [{ label: anyLabel, isChecked: value === undefined, select: () => choose(undefined) }] },
        {
          actions: options.map((option) => ({
            label: option.label,
            isChecked: option.value === value,
            ...(option.colour !== undefined && {
              mark: <i class={chip.dot} style={{ '--colour': option.colour }} aria-hidden="true" />,
            }),
            select: () => choose(option.value),
          })),
        },
      ]}
    />
  )
}
