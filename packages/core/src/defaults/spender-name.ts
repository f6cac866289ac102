/** The name under which what an owner spends is added up, or what one key of the owner spends. */
export function spenderName(owner: string, keyId?: string): string {
  // An owner's name may look like JSON, so that of the owner begins with another character than that of a key.
  return keyId === undefined ? ` ${owner}` : JSON.stringify([owner, keyId])
}

/** The names under which a job, or its entry of the ledger, counts. */
export function spendersOf({ owner, keyId }: { readonly owner: string; readonly keyId?: string }): string[] {
  return keyId === undefined ? [spenderName(owner)] : [spenderName(owner), spenderName(owner, keyId)]
}
