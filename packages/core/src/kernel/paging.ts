/** A page that ends within the first so many records of a list costs about as much as one record. */
export const SHALLOW_PAGE_LIMIT = 200
