export type * from './event-types.ts'
