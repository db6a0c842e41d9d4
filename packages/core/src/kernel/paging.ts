/** A page that ends within the first so many records of a list costs about as much as one record. */
export const SHALLOW_PAGE_LIMIT = 200
/**
 * A page that ends beyond so many records, with more than as many after it, may take as long as a report: the
 * records on one side are read and skipped.
 */
export const DEEP_PAGE_LIMIT = 2000
