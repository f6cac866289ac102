/** The sessions of an endpoint, by what stands for their users. */
export interface Sessions<Session> {
  /** @returns `undefined` when there is no room for one more */
  of(user: string, create: () => Session): Promise<Session | undefined>
}

interface Entry<Session> {
  readonly session: Session
  usedAt: number
}

/** Remembers a bounded number of sessions, each until it has been idle for a while. It has no timer. */
export function createSessions<Session>(maxSessions: number, idleMs: number): Sessions<Session> {
  /** The one that was used last stands last. */
  const entries = new Map<string, Entry<Session>>()

  function dropIdle(now: number): void {
    for (const [name, { usedAt }] of entries) {
      if (now - usedAt < idleMs) return
      entries.delete(name)
    }
  }

  return {
    async of(user, create) {
      // A key is not kept in memory as it is.
      const name = await digest(user)
      const now = Date.now()
      dropIdle(now)
      const entry = entries.get(name)
      if (entry === undefined && entries.size >= maxSessions) return undefined
      const used = { session: entry?.session ?? create(), usedAt: now }
      entries.delete(name)
      entries.set(name, used)
      return used.session
    },
  }
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return String.fromCharCode(...new Uint8Array(bytes))
}
