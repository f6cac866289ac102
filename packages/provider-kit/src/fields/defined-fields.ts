/**
 * Leaves out the fields that are `undefined`. Otherwise, spread over another object, they would replace its values.
 * @example { size: '1K', ...definedFields({ size: undefined }) } // { size: '1K' }
 */
export function definedFields<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>
}
