/** So many records into a list a page is come by as quickly as a record. */
export const NEAR = 200
