/** A random idempotency key. React Native, and pages without https, have no `crypto.randomUUID`. */
export function randomKey(): string {
  const part = () => Math.random().toString(36).slice(2)
  // The key must be unique, but need not be hard to guess: the service keeps the keys of each owner apart.
  return Date.now() + part() + part()
}
