import { isAdmin, useConsole } from '../../app/console-context.ts'
import type { LabelKind } from './label.ts'

const MAX_NAME_LENGTH = 60
const MAX_LIST_NAME_LENGTH = 80

export function useTaskTypeKind(): LabelKind {
  const { crm, me } = useConsole()
  return {
    maxNameLength: MAX_NAME_LENGTH,
    hasColour: true,
    hasDescription: false,
    nameField: 'title',
    canDelete: isAdmin(me),
    create: ({ name, colour }) => crm.taskTypes.create({ title: name, color: colour }),
    update: (id, { name, colour }) => crm.taskTypes.update(id, toTaskTypeFields({ name, colour })),
    delete: (id) => crm.taskTypes.delete(id),
    toFields: toTaskTypeFields,
  }
}

export function useTagKind(): LabelKind {
  const { crm, me } = useConsole()
  return {
    maxNameLength: MAX_NAME_LENGTH,
    hasColour: true,
    hasDescription: false,
    nameField: 'name',
    canDelete: isAdmin(me),
    create: ({ name, colour }) => crm.tags.create({ name, color: colour }),
    update: (id, { name, colour }) => crm.tags.update(id, toTagFields({ name, colour })),
    delete: (id) => crm.tags.delete(id),
    toFields: toTagFields,
  }
}

export function useListKind(): LabelKind {
  const { crm, me } = useConsole()
  return {
    maxNameLength: MAX_LIST_NAME_LENGTH,
    hasColour: false,
    hasDescription: true,
    nameField: 'name',
    canDelete: isAdmin(me),
    create: ({ name, description }) => crm.lists.create({ name, description: description || null }),
    update: (id, { name, description }) => crm.lists.update(id, toListFields({ name, description })),
    delete: (id) => crm.lists.delete(id),
    toFields: toListFields,
  }
}

interface NameAndColour {
  readonly name?: string | undefined
  readonly colour?: string | undefined
}

function toTaskTypeFields({ name, colour }: NameAndColour) {
  return { ...(name !== undefined && { title: name }), ...(colour !== undefined && { color: colour }) }
}

function toTagFields({ name, colour }: NameAndColour) {
  return { ...(name !== undefined && { name }), ...(colour !== undefined && { color: colour }) }
}

function toListFields({
  name,
  description,
}: {
  readonly name?: string | undefined
  readonly description?: string | undefined
}) {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description || null }),
  }
}
