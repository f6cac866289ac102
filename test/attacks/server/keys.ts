/** The key of an owner of the attacked server. */
export const keyOf = (owner: string): string => `key-of-${owner}-5b1f3c`
