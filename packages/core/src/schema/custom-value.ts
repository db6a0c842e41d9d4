import * as v from 'valibot'
import { responseSchema, textResponse, uuidResponse } from '../kernel/response-schemas.ts'
import { ADDRESS_PARTS } from './address-parts.ts'
import { CUSTOM_FIELD_TYPES, type CustomFieldType } from './custom-field-types.ts'

/** The values of a record by the id of their custom field. */
export type CustomValues = Readonly<Record<string, StoredValue>>

/** Parts that are not set are left out. */
export type Address = { readonly [Part in (typeof ADDRESS_PARTS)[number]]?: string }

/** A value as stored. Options of a select are a list, one or several; no other type is a list. */
export type StoredValue = string | number | readonly string[] | Address

/** The value of a custom field in a view of a person, company or deal. Fields without a value are left out. */
export interface CustomValueView {
  /** The id of the field, as are key, label and type. */
  readonly id: string
  readonly key: string
  readonly label: string
  readonly type: CustomFieldType
  /**
   * An option key for `select`, an array of them for `multi_select`, an object for `address`, a number for
   * `number`, and a text for the other types.
   */
  readonly value: StoredValue
}

export const addressResponse = v.strictObject(
  v.entriesFromList(ADDRESS_PARTS, v.exactOptional(textResponse)),
) satisfies v.GenericSchema<Address>

export const customValueResponse = responseSchema<CustomValueView>()({
  id: uuidResponse,
  key: textResponse,
  label: textResponse,
  type: v.picklist(CUSTOM_FIELD_TYPES),
  value: v.union([textResponse, v.number(), v.array(textResponse), addressResponse]),
})
