/** A page that ends within the first so many records of a list costs about as much as one record. */
export const SHALLOW_PAGE_LIMIT = 200
/**
 * A page that ends beyond so many records may take as long as a report: they are read and skipped. A page of all
 * records may also be read from the other end.
 */
export const DEEP_PAGE_LIMIT = 2000
