import type { NamedCondition } from '../../ports/index.ts'
import type { FilterField } from './filter-fields.ts'
import type { Moment } from './time-bounds.ts'

/** Whom and what the values of a filter name. */
export interface FilterContext extends Moment {
  /** Whom `me` stands for. */
  readonly userId: string
  /** The members of the teams of `me`, whom `my_team` stands for. */
  findTeammates(): Promise<readonly string[]>
  /** The owners that the API shows as nobody. */
  findRemovedMembers(): Promise<readonly string[]>
  /** The digits of a phone number in E.164. One without a country code is of the workspace's country. */
  readonly toPhoneDigits: (phone: string) => string
  /** The id of a live tag by its id or key, or of a list. */
  findOption(kind: string, name: string): Promise<string | undefined>
}

/** Builds the condition of one operator of one type of field. @throws FilterValueError */
export type BuildCondition = (
  field: FilterField,
  value: unknown,
  context: FilterContext,
) => NamedCondition | Promise<NamedCondition>
