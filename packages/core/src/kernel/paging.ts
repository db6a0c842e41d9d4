/** A page that ends within this many records of a list's beginning costs about as much as one record. */
export const SHALLOW_PAGE_LIMIT = 200
