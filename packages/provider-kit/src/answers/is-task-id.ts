/**
 * Whether a value can be the id of a task: 1 to 100 letters, digits, `_` or `-`. Ids become parts of paths, so they must
 * not contain a slash or a dot.
 */
export function isTaskId(id: unknown): id is string {
  return typeof id === 'string' && /^[\w-]{1,100}$/.test(id)
}
