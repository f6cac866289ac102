/** A random idempotency key. React Native, and pages without https, have no `crypto.randomUUID`. */
export function randomKey(): string {
  if (typeof crypto === 'object' && typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  // The key must be unique, but need not be hard to guess: the service keeps the keys of each owner apart.
  const parts = Array.from({ length: 3 }, () => Math.random().toString(36).slice(2))
  return `${Date.now().toString(36)}-${parts.join('')}`
}
