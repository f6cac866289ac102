/** A page of a list, as all lists of /v1. @param cursor of the next page. `undefined` when this page is the last one */
export function listObject(data: readonly object[], cursor: string | undefined) {
  return { object: 'list', data, has_more: cursor !== undefined, next_cursor: cursor ?? null }
}
