import { lazy } from 'preact/compat'

// The code of a dialog is loaded when it is opened.
const choices = () => import('./choice-dialogs.tsx')
export const StageDialog = lazy(async () => ({ default: (await choices()).StageDialog }))
export const OwnerDialog = lazy(async () => ({ default: (await choices()).OwnerDialog }))
export const TagDialog = lazy(async () => ({ default: (await choices()).TagDialog }))
export const ListDialog = lazy(async () => ({ default: (await choices()).ListDialog }))
export const FieldDialog = lazy(async () => ({ default: (await import('./field-dialog.tsx')).FieldDialog }))
