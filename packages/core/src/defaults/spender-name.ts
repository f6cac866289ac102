/** The name under which what an owner spends is added up, or what one key of the owner spends. */
export function spenderName(owner: string, keyId?: string): string {
  // The length shows where the owner's name ends.
  return keyId === undefined ? ` ${owner}` : `${owner.length} ${owner} ${keyId}`
}

/** The names under which a job, or its entry of the ledger, counts. */
export function spendersOf({
  owner,
  keyId,
}: {
  readonly owner: string
  readonly keyId?: string
}): readonly string[] {
  return keyId === undefined ? [spenderName(owner)] : [spenderName(owner), spenderName(owner, keyId)]
}
