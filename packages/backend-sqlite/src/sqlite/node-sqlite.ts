/**
 * Imports node:sqlite at its first use. On a runtime without it the app still starts, and the first call
 * fails with an error that says what is needed.
 */
export async function importSqlite(): Promise<typeof import('node:sqlite')> {
  try {
    return await import('node:sqlite')
  } catch (cause) {
    const message = 'sqliteBackend needs node:sqlite: use Node 22.13, Deno 2.9, Bun 1.4 or newer.'
    throw new Error(message, { cause })
  }
}
