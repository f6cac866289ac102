/**
 * The value of this name in a record whose names come from the service. What every object has, such as `constructor`,
 * is none.
 */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
